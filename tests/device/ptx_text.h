#pragma once

#include <gtest/gtest.h>

#include <string>

#include "device/device.h"
#include "device/loaded_module.h"

namespace heddle::device::test {

/// A PTX module with the given functions and variables.
inline std::string module_of(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + body;
}

/// A kernel named k with one parameter, a pointer to an array of 32-bit words. `body` may use the
/// registers that the kernel sets first:
///   %rd1  the parameter
///   %rd2  the address of the thread's word in the array
///   %r1   the thread's number in the grid
///   %r2   the block's number
///   %r3   the number of threads of a block
///   %r4   the thread's number in the block
inline std::string kernel_of(const std::string& body, const std::string& declarations = "") {
  return module_of(declarations + R"(
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<20>;
  .reg .b16 %h<20>;
  .reg .b32 %r<60>;
  .reg .b64 %rd<40>;
  .reg .f32 %f<20>;
  .reg .f64 %d<20>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r1, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
)" + body + "\n}\n");
}

/// Runs the kernel 'k' over `words` zeroed words (its parameter), and returns them.
inline std::vector<std::uint32_t> run(const std::string& ptx, std::uint32_t grid,
                                      std::uint32_t block, std::size_t words,
                                      DeviceOptions options = {}) {
  Device device(std::move(options));
  const LoadedModule& module = device.load({{.file = "test.ptx", .text = ptx}});
  const DevicePointer out = device.allocate(words * 4, "out");
  device.launch_with(device.find_kernel(module, "k"),
                     {.grid = {grid, 1, 1}, .block = {block, 1, 1}}, out);
  return device.download<std::uint32_t>(out, words);
}

/// Runs a kernel that must fault, and returns the fault's message.
inline std::string fault_of(const std::string& ptx, std::uint32_t grid, std::uint32_t block,
                            std::size_t words = 1024, DeviceOptions options = {}) {
  try {
    run(ptx, grid, block, words, std::move(options));
  } catch (const exec::SimulatedFault& fault) {
    return fault.what();
  }
  ADD_FAILURE() << "the kernel did not fault";
  return {};
}

}  // namespace heddle::device::test
