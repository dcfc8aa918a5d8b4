#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string load_error(const std::vector<PtxSource>& sources) {
  Device device;
  try {
    device.load(sources);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Module, ReportsErrorsWithTheirPositions) {
  const std::string error =
      load_error({{"bad.ptx", kernel_of("  add.u32 %r1, %r1;\n  bra NOWHERE;")}});
  EXPECT_THAT(error, AllOf(HasSubstr("bad.ptx:20:"), HasSubstr("bad.ptx:21:"), HasSubstr("NOWHERE"),
                           HasSubstr("^")));
}

TEST(Module, InitialisesVariables) {
  Device device;
  const LoadedModule& module = device.load({{"test.ptx", module_of(R"(
.visible .global .align 4 .u32 numbers[4] = {1, 2, 3};
.visible .const .align 8 .f64 half = 0d3FE0000000000000;
.visible .global .align 8 .u64 pointer = numbers+8;
.visible .entry k() { ret; }
)")}});
  const std::optional<Symbol> numbers = device.find_symbol(module, "numbers");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->bytes, 16u);
  EXPECT_EQ(device.download<std::uint32_t>(numbers->address, 4),
            (std::vector<std::uint32_t>{1, 2, 3, 0}));
  EXPECT_EQ(device.download<double>(device.find_symbol(module, "half")->address, 1)[0], 0.5);
  EXPECT_EQ(device.download<std::uint64_t>(device.find_symbol(module, "pointer")->address, 1)[0],
            numbers->address + 8);
  EXPECT_FALSE(device.find_symbol(module, "nothing"));
}

TEST(Module, SuggestsTheNearestKernel) {
  Device device;
  const LoadedModule& module =
      device.load({{"test.ptx", module_of(".visible .entry reduce() { ret; }")}});
  try {
    device.find_kernel(module, "redcue");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'reduce'?"));
  }
}

TEST(Module, LinksSeveralTexts) {
  Device device;
  const LoadedModule& module = device.load({{"a.ptx", kernel_of(R"(
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r1;
    call.uni (b), twice, (a);
    ld.param.u32 %r5, [b]; }
  mov.u64 %rd3, offset;
  ld.global.u32 %r6, [%rd3];
  add.u32 %r5, %r5, %r6;
  st.global.u32 [%rd2], %r5;
  ret;)",
                                                                R"(
.extern .func (.param .u32 o) twice(.param .u32 i);
.extern .global .u32 offset;
)")},
                                            {"b.ptx", module_of(R"(
.visible .global .u32 offset = 1000;
.visible .func (.param .u32 o) twice(.param .u32 i)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [i];
  add.u32 %r2, %r1, %r1;
  st.param.u32 [o], %r2;
  ret;
})")}});
  const DevicePointer out = device.allocate(128);
  device.launch_with(device.find_kernel(module, "k"), {.grid = {}, .block = {32, 1, 1}}, out);
  const std::vector<std::uint32_t> words = device.download<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(words[i], 1000 + 2 * i);
}

TEST(Module, RejectsUndefinedExternVariable) {
  EXPECT_THAT(load_error({{"a.ptx", kernel_of("  mov.u64 %rd3, offset;\n  ld.global.u32 %r5, "
                                              "[%rd3];\n  st.global.u32 [%rd2], %r5;\n  ret;",
                                              ".extern .global .u32 offset;\n")}}),
              HasSubstr("offset"));
}

TEST(Module, FreesItsMemoryWhenUnloaded) {
  Device device;
  const std::uint64_t before = device.memory().used();
  const LoadedModule& module =
      device.load({{"a.ptx", module_of(".global .align 4 .b8 big[100000];\n.entry k() { ret; }")}});
  EXPECT_GT(device.memory().used(), before);
  device.unload(module);
  EXPECT_EQ(device.memory().used(), before);
  EXPECT_THROW(device.unload(module), InputError);
}

TEST(Module, NamesTheFileOfAnUnsupportedInstruction) {
  Device device;
  const LoadedModule& module = device.load({{"kernel.ptx", module_of(R"(.extern .func helper;
.visible .entry k() { call helper; ret; })")},
                                            {"helper.ptx", module_of(R"(.visible .func helper
{
  .reg .b32 %r<2>;
  .shared .b64 b;
  mov.u32 %r1, b;
  mbarrier.init.shared.b64 [%r1], 1;
  ret;
})")}});
  try {
    device.launch_with(device.find_kernel(module, "k"), {.grid = {}, .block = {}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("mbarrier.init.shared.b64"), HasSubstr("helper.ptx:9")));
  }
}

TEST(Module, PrintsInTheOrderOfThreads) {
  std::string printed;
  Device device({.print = [&](std::string_view text) { printed += text; }});
  const LoadedModule& module = device.load({{"test.ptx", kernel_of(R"(
  .local .align 8 .b8 buffer[16];
  mov.u64 %rd3, buffer;
  cvta.local.u64 %rd4, %rd3;
  st.local.u32 [%rd3], %r1;
  mov.f64 %d1, 0d3FF8000000000000;
  st.local.f64 [%rd3+8], %d1;
  mov.u64 %rd5, format;
  cvta.global.u64 %rd5, %rd5;
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd5;
    st.param.b64 [b], %rd4;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r5, [c]; }
  st.global.u32 [%rd2], %r5;
  ret;)",
                                                                   R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.global .align 1 .b8 format[8] = {37, 100, 32, 37, 103, 10, 0, 0};
)")}});
  const DevicePointer out = device.allocate(128);
  device.launch_with(device.find_kernel(module, "k"), {.grid = {}, .block = {3, 1, 1}}, out);
  EXPECT_EQ(printed, "0 1.5\n1 1.5\n2 1.5\n");
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 2u);
}

}  // namespace
}  // namespace heddle::device::test
