// Faults: the errors of kernels that stop a launch, and their messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Fault, NamesBufferAndThreadOfAnOutOfBoundsAccess) {
  const std::string fault = fault_of(kernel_of("  st.global.u32 [%rd2], %r1;\n  ret;"), 2, 64, 100);
  EXPECT_THAT(fault, AllOf(HasSubstr("kernel 'k': access out of bounds"), HasSubstr("'out'"),
                           HasSubstr("400 bytes"), HasSubstr("at test.ptx:20, store"),
                           HasSubstr("block (1,0,0), thread (36,0,0) (warp 1, lane 4)")));
}

TEST(Fault, DetectsNullPointer) {
  EXPECT_THAT(fault_of(kernel_of("  mov.u64 %rd3, 0;\n  ld.global.u32 %r5, [%rd3+16];\n"
                                 "  st.global.u32 [%rd2], %r5;\n  ret;"),
                       1, 32),
              HasSubstr("access out of bounds"));
}

TEST(Fault, DetectsMisalignedAccess) {
  EXPECT_THAT(fault_of(kernel_of("  ld.global.u32 %r5, [%rd2+2];\n  st.global.u32 [%rd2], %r5;\n"
                                 "  ret;"),
                       1, 32),
              HasSubstr("misaligned access"));
}

TEST(Fault, DistinguishesFreedMemory) {
  Device device;
  const LoadedModule& module =
      device.load({{"test.ptx", kernel_of("  st.global.u32 [%rd2], 1;\n  ret;")}});
  const DevicePointer freed = device.allocate(128, "gone");
  device.free(freed);
  try {
    device.launch_with(device.find_kernel(module, "k"), {.grid = {}, .block = {32, 1, 1}}, freed);
    FAIL();
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::freed_memory);
    EXPECT_THAT(fault.what(), HasSubstr("gone"));
  }
}

TEST(Fault, DetectsStoreToConstant) {
  EXPECT_THAT(fault_of(kernel_of("  mov.u64 %rd3, c;\n  cvta.const.u64 %rd3, %rd3;\n"
                                 "  st.u32 [%rd3], 1;\n  ret;",
                                 ".const .align 4 .u32 c = 5;\n"),
                       1, 32),
              HasSubstr("write to read-only memory"));
}

TEST(Fault, DetectsOutOfBoundsInSharedAndLocalMemory) {
  EXPECT_THAT(fault_of(kernel_of("  mov.u32 %r5, s;\n  st.shared.u32 [%r5+64], 1;\n  ret;",
                                 ".shared .align 4 .b8 s[64];\n"),
                       1, 32),
              HasSubstr("shared"));
  EXPECT_THAT(fault_of(kernel_of("  .local .align 4 .b8 l[16];\n  mov.u32 %r5, l;\n"
                                 "  st.local.u32 [%r5+4096], 1;\n  ret;"),
                       1, 32),
              HasSubstr("local"));
}

TEST(Fault, StopsTheLaunchAtATrap) {
  EXPECT_THAT(fault_of(kernel_of("  setp.eq.u32 %p1, %r4, 37;\n  @%p1 trap;\n  ret;"), 1, 64),
              AllOf(HasSubstr("kernel 'k': trap"), HasSubstr("thread (37,0,0)")));
}

TEST(Fault, DetectsStackOverflow) {
  const std::string forever = R"(
.func forever(.param .u32 n)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  add.u32 %r2, %r1, 1;
  { .param .u32 a;
    st.param.u32 [a], %r2;
    call.uni forever, (a); }
  ret;
}
)";
  EXPECT_THAT(fault_of(kernel_of(R"(
  { .param .u32 a;
    st.param.u32 [a], 0;
    call.uni forever, (a); }
  ret;)",
                                 forever),
                       1, 32),
              AllOf(HasSubstr("stack overflow"), HasSubstr("in function 'forever'")));
}

TEST(Fault, DetectsCallThroughInvalidPointer) {
  EXPECT_THAT(fault_of(kernel_of("  proto: .callprototype _ ();\n  mov.u64 %rd3, 12345;\n"
                                 "  call %rd3, (), proto;\n  ret;"),
                       1, 32),
              HasSubstr("which points to no function"));
}

TEST(Fault, StopsAnEndlessKernelAtTheLimit) {
  const std::string fault =
      fault_of(kernel_of("L: bra L;"), 1, 32, 16, {.max_warp_instructions = 100000});
  EXPECT_THAT(fault, AllOf(HasSubstr("stopped after 100000 warp instructions"),
                           HasSubstr("at test.ptx:20, branch, running: block (0,0,0), warp 0")));
}

TEST(Fault, AllowsExactlyTheLimitOfInstructions) {
  const std::string ptx = kernel_of("  st.global.u32 [%rd2], 1;\n  ret;");
  Device counter;
  const LoadedModule& module = counter.load({{"test.ptx", ptx}});
  const std::uint64_t needed =
      counter
          .launch_with(counter.find_kernel(module, "k"), {.grid = {4, 1, 1}, .block = {64, 1, 1}},
                       counter.allocate(1024))
          .warp_instructions;
  EXPECT_NO_THROW(run(ptx, 4, 64, 256, {.max_warp_instructions = needed}));
  EXPECT_THROW(run(ptx, 4, 64, 256, {.max_warp_instructions = needed - 1}), exec::SimulatedFault);
}

TEST(Fault, PersistsUntilTheDeviceIsReset) {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", kernel_of("  trap;")}});
  const Kernel kernel = device.find_kernel(module, "k");
  const DevicePointer out = device.allocate(1024);
  const LaunchConfiguration configuration{.grid = {}, .block = {32, 1, 1}};
  EXPECT_NO_THROW(device.synchronize());
  EXPECT_THROW(device.launch_with(kernel, configuration, out), exec::SimulatedFault);
  EXPECT_THROW(device.synchronize(), exec::SimulatedFault);
  EXPECT_THROW(device.allocate(16), exec::SimulatedFault);
  device.reset();
  EXPECT_NO_THROW(device.synchronize());
  EXPECT_NO_THROW(device.allocate(16));
}

TEST(Fault, ReportsAFailedAssertion) {
  const std::string strings = R"(
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 what[6] = {120, 32, 62, 32, 48, 0};
.global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
.global .align 1 .b8 name[2] = {102, 0};
)";
  EXPECT_THAT(fault_of(kernel_of(R"(
  mov.u64 %rd3, what; cvta.global.u64 %rd3, %rd3;
  mov.u64 %rd4, file; cvta.global.u64 %rd4, %rd4;
  mov.u64 %rd5, name; cvta.global.u64 %rd5, %rd5;
  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
    st.param.b64 [a], %rd3;
    st.param.b64 [b], %rd4;
    st.param.b32 [c], 42;
    st.param.b64 [d], %rd5;
    st.param.b64 [e], 1;
    call.uni __assertfail, (a, b, c, d, e); }
  ret;)",
                                 strings),
                       1, 32),
              AllOf(HasSubstr("assertion failed"), HasSubstr("`x > 0` at a.cu:42, in f")));
}

TEST(Fault, DetectsReadBeyondTheParametersAtAConstantAddress) {
  EXPECT_THAT(fault_of(kernel_of("  mov.u64 %rd5, p;\n  ld.param.u32 %r5, [%rd5+8];\n  "
                                 "st.global.u32 [%rd2], %r5;\n  ret;"),
                       1, 32),
              testing::HasSubstr("param"));
}

}  // namespace
}  // namespace heddle::device::test
