#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

/// A kernel that sums thirty products that are all live at once, and counts its calls.
std::string many_values() {
  std::string body = "  cvt.rn.f32.u32 %f1, %r1;\n";
  std::string sum;
  for (int i = 0; i < 30; ++i) {
    const std::string value = "%v" + std::to_string(i);
    body += "  ld.volatile.global.f32 " + value + ", [factors+" + std::to_string(4 * i) + "];\n";
    sum += "  fma.rn.f32 %f1, " + value + ", %f1, %f1;\n";
  }
  return kernel_of("  .reg .f32 %v<30>;\n" + body + sum +
                       "  st.global.f32 [%rd2], %f1;\n  atom.global.add.u32 %r5, [calls], 1;\n",
                   ".visible .global .align 4 .f32 factors[30] = {0f3F000000, 0f3E800000};\n"
                   ".visible .global .align 4 .u32 calls = 5;\n");
}

struct Outcome {
  std::vector<float> values;
  std::uint32_t calls = 0;
};

Outcome run(Device& device, const LoadedModule& module) {
  const DevicePointer out = device.allocate(64 * sizeof(float));
  device.launch_with(device.find_kernel(module, "k"), {.grid = {1}, .block = {64}}, out);
  const DevicePointer calls = device.find_symbol(module, "calls")->address;
  return {device.download<float>(out, 64), device.download<std::uint32_t>(calls, 1)[0]};
}

TEST(CompileAgain, ReplacesCodeAndKeepsVariables) {
  Device device;
  const std::vector<PtxSource> sources{{"test.ptx", many_values()}};
  const LoadedModule& module = device.load(sources);
  const auto registers = [&] { return module.program().find_kernel("k")->registers_per_thread; };
  const std::uint32_t before = registers();
  const Outcome first = run(device, module);
  EXPECT_EQ(first.calls, 5u + 64);
  EXPECT_GT(before, 24u);

  const std::uint64_t factors = device.find_symbol(module, "factors")->address;
  device.compile_again(module, sources, {.max_registers = 24});
  EXPECT_LE(registers(), 24u);
  EXPECT_EQ(device.find_symbol(module, "factors")->address, factors);
  const Outcome second = run(device, module);
  EXPECT_EQ(second.values, first.values);
  EXPECT_EQ(second.calls, 5u + 2 * 64);
}

TEST(CompileAgain, RejectsAModuleThatIsNotLoaded) {
  Device device;
  const std::vector<PtxSource> sources{{"test.ptx", many_values()}};
  Device other;
  const LoadedModule& module = other.load(sources);
  EXPECT_THROW(device.compile_again(module, sources, {}), InputError);
}

TEST(DeviceHeapSize, IsTheLastValueSet) {
  Device device;
  device.set_heap_bytes(1 << 16);
  EXPECT_EQ(device.options().heap_bytes, 1u << 16);
}

}  // namespace
}  // namespace heddle::device::test
