#include "cuda/runtime/launch_limits.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

/// A GPU of two multiprocessors, each with registers for four blocks of 128 threads of kernel().
gpu::Machine small_machine() {
  gpu::Machine machine;
  machine.chip.sms = 2;
  machine.sm.residency = {.warps = 48,
                          .blocks = 8,
                          .registers = 16384,
                          .register_unit = 64,
                          .registers_per_thread = 63,
                          .shared_bytes = 32768,
                          .shared_unit = 128};
  return machine;
}

/// A kernel with 32 registers per thread.
code::FunctionInfo kernel() {
  code::FunctionInfo info;
  info.name = "kernel";
  info.registers_per_thread = 32;
  return info;
}

/// The error of a launch on small_machine().
Error error_of(const LaunchShape& shape, const code::FunctionInfo& info = kernel(),
               const Function& function = {}) {
  try {
    check_limits(info, function, shape, small_machine());
    return Error::success;
  } catch (const Failure& failure) {
    return failure.error;
  }
}

TEST(LaunchLimits, LimitResidentBlocksByScarcestResource) {
  const gpu::Machine machine = small_machine();
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 128, 0, machine), 4u)
      << "expected the limit by registers";
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 32, 0, machine), 8u)
      << "expected the limit of blocks";
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 128, 16384, machine), 2u)
      << "expected the limit by shared memory";
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 128, 16385, machine), 1u);
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 1024, 0, machine), 0u);
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 128, 32769, machine), 0u);
}

TEST(LaunchLimits, LimitBlockByRegistersAndLaunchBounds) {
  code::FunctionInfo info = kernel();
  EXPECT_EQ(max_threads(info, small_machine()), 512u);
  info.max_threads[0] = 16;
  info.max_threads[1] = 8;
  EXPECT_EQ(max_threads(info, small_machine()), 128u);
}

TEST(LaunchLimits, RejectExtentsBeyondGpuLimits) {
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {128, 1, 1}}), Error::success);
  EXPECT_EQ(error_of({.grid = {0, 1, 1}, .block = {128, 1, 1}}), Error::invalid_configuration);
  EXPECT_EQ(error_of({.grid = {1, 65536, 1}, .block = {1, 1, 1}}), Error::invalid_configuration);
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {1, 1, 65}}), Error::invalid_configuration);
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {64, 32, 1}}), Error::invalid_configuration);
}

TEST(LaunchLimits, RejectBlocksBeyondRegistersOrLaunchBounds) {
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {512, 1, 1}}), Error::success);
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {544, 1, 1}}), Error::launch_out_of_resources);
  code::FunctionInfo bounded = kernel();
  bounded.max_threads[0] = 64;
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {64, 1, 1}}, bounded), Error::success);
  EXPECT_EQ(error_of({.grid = {1, 1, 1}, .block = {65, 1, 1}}, bounded),
            Error::launch_out_of_resources);
}

TEST(LaunchLimits, ChooseMostRegistersThatLetBlockFit) {
  const gpu::Machine machine = small_machine();
  EXPECT_EQ(registers_to_fit(kernel(), 512, machine), 0u) << "the block fits already";
  EXPECT_EQ(registers_to_fit(kernel(), 544, machine), 30u) << "16384 / 17 warps, in whole units";
  EXPECT_EQ(registers_to_fit(kernel(), 1024, machine), 16u);
  EXPECT_EQ(registers_to_fit(kernel(), 1025, machine), 0u) << "more threads than any block has";
}

TEST(LaunchLimits, RejectDynamicSharedMemoryBeyondAllowance) {
  gpu::Machine machine = small_machine();
  machine.sm.residency.shared_bytes = 65536;
  const LaunchShape shape{
      .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 48 * 1024 + 1};
  EXPECT_THROW(check_limits(kernel(), {}, shape, machine), Failure);
  Function allowed;
  allowed.max_dynamic_shared_bytes = 50 * 1024;
  EXPECT_NO_THROW(check_limits(kernel(), allowed, shape, machine));
  EXPECT_EQ(error_of(shape, kernel(), allowed), Error::invalid_value)
      << "expected to exceed the memory of the small machine";
}

TEST(LaunchLimits, RejectCooperativeGridThatIsNotResidentAsWhole) {
  LaunchShape shape{.grid = {8, 1, 1}, .block = {128, 1, 1}, .cooperative = true};
  EXPECT_EQ(error_of(shape), Error::success) << "four blocks fit on each of two multiprocessors";
  shape.grid.x = 9;
  EXPECT_EQ(error_of(shape), Error::cooperative_launch_too_large);
}

/// The small machine, except that one of its two multiprocessors has half the registers.
gpu::Machine unequal_machine() {
  gpu::Machine machine = small_machine();
  machine.groups.push_back({.name = "small", .sms = 1, .sm = machine.sm});
  machine.groups.back().sm.residency.registers = 8192;
  return machine;
}

TEST(LaunchLimits, CountBlocksOnUnequalMultiprocessors) {
  const gpu::Machine machine = unequal_machine();
  EXPECT_EQ(max_blocks_on_machine(kernel(), 128, 0, machine), 6u) << "expected two plus four";
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 128, 0, machine), 3u) << "expected the average";
  EXPECT_EQ(max_blocks_per_multiprocessor(kernel(), 512, 0, machine), 1u)
      << "expected 1, because a block fits on one of the multiprocessors";
  EXPECT_EQ(registers_to_fit(kernel(), 512, machine), 0u);
  EXPECT_EQ(registers_to_fit(kernel(), 544, machine), 30u);
}

TEST(LaunchLimits, RejectCooperativeGridBeyondUnequalMultiprocessors) {
  LaunchShape shape{.grid = {6, 1, 1}, .block = {128, 1, 1}, .cooperative = true};
  EXPECT_NO_THROW(check_limits(kernel(), {}, shape, unequal_machine()));
  shape.grid.x = 7;
  EXPECT_THROW(check_limits(kernel(), {}, shape, unequal_machine()), Failure);
}

}  // namespace
}  // namespace heddle::cuda
