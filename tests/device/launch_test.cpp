#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The message of a rejected launch; empty if the launch is accepted.
std::string error_of_launch(const std::string& ptx, const LaunchConfiguration& configuration,
                            const Arguments& arguments, const std::string& kernel = "k") {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", ptx}});
  try {
    device.launch(device.find_kernel(module, kernel), configuration, arguments);
  } catch (const InputError& error) {
    EXPECT_NO_THROW(device.synchronize()) << "a rejected launch must not leave the device in error";
    return error.what();
  }
  return {};
}

Arguments pointer_argument() {
  Arguments arguments;
  arguments.add(std::uint64_t{0});
  return arguments;
}

/// The message of a rejected launch of a kernel with the given directives and body; empty if the
/// launch is accepted.
std::string error_with(const LaunchConfiguration& configuration, const std::string& directives = "",
                       const std::string& declarations = "", const std::string& body = "") {
  std::string ptx = kernel_of(body + "  ret;", declarations);
  ptx.replace(ptx.find("\n{\n"), 3, "\n" + directives + "\n{\n");
  return error_of_launch(ptx, configuration, pointer_argument());
}

TEST(Launch, EnforcesTheLimitsOfCuda) {
  EXPECT_EQ(error_with({.grid = {}, .block = {1024, 1, 1}}), "");
  EXPECT_THAT(error_with({.grid = {}, .block = {1025, 1, 1}}), HasSubstr("block's x is 1025"));
  EXPECT_THAT(error_with({.grid = {}, .block = {64, 32, 1}}), HasSubstr("2048 threads"));
  EXPECT_THAT(error_with({.grid = {}, .block = {1, 1, 65}}), HasSubstr("block's z is 65"));
  EXPECT_THAT(error_with({.grid = {1, 65536, 1}, .block = {1, 1, 1}}),
              HasSubstr("grid's y is 65536"));
  EXPECT_THAT(error_with({.grid = {0, 1, 1}, .block = {1, 1, 1}}), HasSubstr("grid's x is 0"));
  EXPECT_THAT(error_with({.grid = {}, .block = {1, 1, 1}, .dynamic_shared_bytes = 300 * 1024}),
              HasSubstr("shared memory"));
}

TEST(Launch, ThreadsKnowTheirPositions) {
  // 60 threads for each of the 12 blocks: the second warp of a block is partial.
  const std::string ptx = kernel_of(R"(
  mov.u32 %r10, %laneid;
  mov.u32 %r11, %warpid;
  mad.lo.u32 %r10, %r11, 32, %r10;
  mov.u32 %r12, %ctaid.x;
  mov.u32 %r13, %ctaid.y;
  mov.u32 %r14, %ctaid.z;
  mad.lo.u32 %r15, %r14, 3, %r13;
  mad.lo.u32 %r15, %r15, 2, %r12;
  mad.lo.u32 %r15, %r15, 60, %r10;
  mul.wide.u32 %rd3, %r15, 4;
  add.u64 %rd3, %rd1, %rd3;
  mov.u32 %r16, %tid.x;
  mov.u32 %r17, %tid.y;
  mov.u32 %r18, %tid.z;
  mad.lo.u32 %r17, %r17, 16, %r16;
  mad.lo.u32 %r17, %r18, 256, %r17;
  st.global.u32 [%rd3], %r17;
  ret;)");
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", ptx}});
  const DevicePointer out = device.allocate(12 * 60 * 4);
  device.launch_with(device.find_kernel(module, "k"), {.grid = {2, 3, 2}, .block = {5, 3, 4}}, out);
  const std::vector<std::uint32_t> positions = device.download<std::uint32_t>(out, 12 * 60);
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    const std::uint32_t thread = i % 60;
    ASSERT_EQ(positions[i], thread % 5 + thread / 5 % 3 * 16 + thread / 15 * 256)
        << "thread " << thread << " of block " << i / 60;
  }
}

TEST(Launch, EnforcesTheKernelsBlockDirectives) {
  EXPECT_THAT(error_with({.grid = {}, .block = {129, 1, 1}}, ".maxntid 128, 1, 1"),
              HasSubstr("at most 128 threads (.maxntid)"));
  EXPECT_EQ(error_with({.grid = {}, .block = {64, 2, 1}}, ".maxntid 128, 1, 1"), "");
  EXPECT_THAT(error_with({.grid = {}, .block = {64, 1, 1}}, ".reqntid 128, 1, 1"),
              HasSubstr("(.reqntid)"));
}

TEST(Launch, ChecksTheArgumentsAgainstTheParameters) {
  const std::string ptx = kernel_of("  ret;");
  const LaunchConfiguration one_warp{.grid = {}, .block = {32, 1, 1}};
  EXPECT_THAT(error_of_launch(ptx, one_warp, {}), HasSubstr("1 parameters, and 0 arguments"));
  Arguments narrow;
  narrow.add(std::uint32_t{0});
  EXPECT_THAT(error_of_launch(ptx, one_warp, narrow),
              HasSubstr("parameter 1 ('p') has 8 bytes, and the argument has 4"));
}

TEST(Launch, PassesArgumentsAtTheirOwnAlignment) {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", module_of(R"(
.visible .entry k(.param .u8 a, .param .u64 out, .param .u16 b, .param .align 8 .b8 c[12], .param .f32 d)
{
  .reg .b32 %r<10>;
  .reg .b64 %rd<4>;
  .reg .f32 %f<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u8 %r1, [a];
  ld.param.u16 %r2, [b];
  ld.param.u32 %r3, [c];
  ld.param.u32 %r4, [c+8];
  ld.param.f32 %f1, [d];
  st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
  st.global.f32 [%rd1+16], %f1;
  ret;
})")}});
  const DevicePointer out = device.allocate(20);
  const struct { std::uint32_t x, y, z; } c{11, 12, 13};
  device.launch_with(device.find_kernel(module, "k"), {.grid = {}, .block = {1, 1, 1}},
                     std::uint8_t{200}, out, std::uint16_t{60000}, c, 1.5f);
  EXPECT_EQ(device.download<std::uint32_t>(out, 5),
            (std::vector<std::uint32_t>{200, 60000, 11, 13, 0x3fc00000}));
}

TEST(Launch, RejectsOnlyKernelsWithUnsupportedInstructions) {
  const std::string ptx = module_of(R"(
.visible .entry matrix()
{
  .reg .b32 %r<12>;
  mov.u32 %r1, 0;
  mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r2,%r3,%r4,%r5}, {%r1,%r1}, {%r1,%r1}, {%r1,%r1,%r1,%r1};
  ret;
}
.visible .entry plain() { ret; }
)");
  const LaunchConfiguration one_warp{.grid = {}, .block = {32, 1, 1}};
  EXPECT_THAT(error_of_launch(ptx, one_warp, {}, "matrix"),
              AllOf(HasSubstr("mma.sync.aligned.m8n8k4"), HasSubstr("test.ptx:9")));
  EXPECT_EQ(error_of_launch(ptx, one_warp, {}, "plain"), "");
}

TEST(Launch, RejectsKernelsThatLaunchKernels) {
  for (const char* const name :
       {"cudaLaunchDeviceV2", "__cudaCDP2LaunchDeviceV2", "__cuda_syscall_launch"}) {
    const std::string extern_function =
        std::string(".extern .func (.param .b32 r) ") + name + "(.param .b64 a);";
    const std::string ptx = module_of(
        extern_function + "\n.visible .entry k() { .param .b32 r; .param .b64 a;\n call (r), " +
        name + ", (a);\n ret; }");
    EXPECT_THAT(error_of_launch(ptx, {.grid = {}, .block = {32, 1, 1}}, {}),
                AllOf(HasSubstr(std::string("'") + name + "' belongs to CUDA's device runtime"),
                      HasSubstr("launches kernels")));
  }
}

TEST(Launch, ReportsProgressWithoutTiming) {
  struct Enough {};
  std::vector<exec::GridProgress> reports;
  DeviceOptions options;
  options.progress = [&](const exec::GridProgress& now) {
    reports.push_back(now);
    if (reports.size() == 3) throw Enough();
  };
  // The first two blocks end at once; the third never ends.
  const std::string ptx = kernel_of("setp.lt.u32 %p1, %r2, 2;\n @%p1 ret;\n SPIN: bra SPIN;");
  EXPECT_THROW(run(ptx, 3, 32, 1024, options), Enough);
  EXPECT_EQ(reports[0].blocks_done, 2U);
  EXPECT_EQ(reports[0].blocks, 3U);
  EXPECT_GT(reports[0].so_far.warp_instructions, 1U << 20);
  EXPECT_EQ(reports[0].so_far.thread_instructions, 32 * reports[0].so_far.warp_instructions);
  EXPECT_GT(reports[2].so_far.warp_instructions, reports[1].so_far.warp_instructions);
}

TEST(Launch, CountsInstructions) {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", module_of(R"(
.visible .entry k()
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 8;
  @%p1 bra L;
  bar.warp.sync -1;
L:
  exit;
})")}});
  const LaunchResult result =
      device.launch_with(device.find_kernel(module, "k"), {.grid = {2, 1, 1}, .block = {32, 1, 1}});
  // In each of the two warps, all 32 lanes issue the move of %tid.x, setp and the guarded exit. The
  // remaining 24 lanes issue the barrier and the last exit.
  EXPECT_EQ(result.warp_instructions, 2u * 5);
  EXPECT_EQ(result.thread_instructions, 2u * (3 * 32 + 2 * 24));
}

TEST(Launch, ProvidesGridIdAs32And64Bits) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r5, %gridid;
  mov.u64 %rd5, %gridid;
  cvt.u32.u64 %r6, %rd5;
  st.global.v2.u32 [%rd1], {%r5, %r6};
  ret;)"),
                                             1, 1, 2);
  EXPECT_EQ(out[0], 1u) << "the id of the device's first launch";
  EXPECT_EQ(out[1], 1u);
}

TEST(Launch, LetsBlocksWaitForLaterBlocks) {
  // Block 0 waits until the last of 200 blocks has incremented a counter.
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra WAIT;
  atom.global.add.u32 %r5, [%rd1], 1;
  ret;
WAIT:
  ld.volatile.global.u32 %r6, [%rd1];
  setp.lt.u32 %p2, %r6, 199;
  @%p2 bra WAIT;
  st.global.u32 [%rd1+4], %r6;
  ret;)"),
                                             200, 1, 2);
  EXPECT_EQ(out[1], 199u);
}

TEST(Launch, PlacesDynamicSharedMemoryAfterTheStatic) {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", kernel_of(R"(
  mov.u32 %r5, fixed;
  mov.u32 %r6, dynamic;
  st.shared.u32 [%r5], 1;
  st.shared.u32 [%r6], 2;
  st.shared.u32 [%r6+252], 3;
  ld.shared.u32 %r7, [%r5];
  mov.u32 %r8, %dynamic_smem_size;
  st.global.v4.u32 [%rd1], {%r5, %r6, %r7, %r8};
  ret;)",
                                                                   R"(
.shared .align 4 .b8 fixed[20];
.extern .shared .align 16 .b8 dynamic[];
)")}});
  const DevicePointer out = device.allocate(16);
  device.launch_with(device.find_kernel(module, "k"),
                     {.grid = {}, .block = {1, 1, 1}, .dynamic_shared_bytes = 256}, out);
  const std::vector<std::uint32_t> words = device.download<std::uint32_t>(out, 4);
  EXPECT_GE(words[1], words[0] + 20);
  EXPECT_EQ(words[1] % 16, 0u);
  EXPECT_EQ(words[2], 1u);
  EXPECT_EQ(words[3], 256u);
}

}  // namespace
}  // namespace heddle::device::test
