// ExecutionProfile: its counts must equal those made by hand.

#include <gtest/gtest.h>

#include "code/instruction_class.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using code::InstructionClass;

/// The numbers of warp and thread instructions by class.
struct Counts {
  std::map<InstructionClass, std::uint64_t> warp_instructions, thread_instructions;
  LaunchResult result;
};

Counts count(const std::string& ptx, std::uint32_t grid, std::uint32_t block) {
  Device device;
  const LoadedModule& module = device.load({{.file = "test.ptx", .text = ptx}});
  const DevicePointer out = device.allocate(65536, "out");
  exec::ExecutionProfile profile(module.program().instructions.size());
  Counts by_class;
  by_class.result =
      device.launch_with(device.find_kernel(module, "k"),
                         {.grid = {grid}, .block = {block}, .profile = &profile}, out);
  const auto counts = profile.counts();
  for (std::size_t pc = 0; pc < counts.size(); ++pc) {
    const InstructionClass instruction_class = code::class_of(module.program().instructions[pc]);
    by_class.warp_instructions[instruction_class] += counts[pc].warps;
    by_class.thread_instructions[instruction_class] += counts[pc].threads;
  }
  return by_class;
}

std::uint64_t sum(const std::map<InstructionClass, std::uint64_t>& counts) {
  std::uint64_t total = 0;
  for (const auto& [instruction_class, count] : counts) total += count;
  return total;
}

TEST(ExecutionProfile, AddsUpRanges) {
  exec::ExecutionProfile profile(5);
  profile.add_stretch(0, 3, 32);
  profile.add_stretch(2, 5, 4);
  profile.add_stretch(4, 5, 1);
  const auto counts = profile.counts();
  const std::vector<std::uint64_t> warps{1, 1, 2, 1, 2}, threads{32, 32, 36, 4, 5};
  for (std::size_t pc = 0; pc < 5; ++pc) {
    EXPECT_EQ(counts[pc].warps, warps[pc]) << pc;
    EXPECT_EQ(counts[pc].threads, threads[pc]) << pc;
  }
}

TEST(ExecutionProfile, AddsSingleInstructionsToStretches) {
  exec::ExecutionProfile profile(3), other(3);
  profile.add_stretch(0, 2, 32);
  profile.add_instruction(1, 5);
  other.add_instruction(1, 2);
  other.add_instruction(2, 7);
  other.add_stretch(2, 3, 1);
  profile.add(other);
  const auto counts = profile.counts();
  const std::vector<std::uint64_t> warps{1, 3, 2}, threads{32, 39, 8};
  for (std::size_t pc = 0; pc < 3; ++pc) {
    EXPECT_EQ(counts[pc].warps, warps[pc]) << pc;
    EXPECT_EQ(counts[pc].threads, threads[pc]) << pc;
  }
}

TEST(ExecutionProfile, AgreesWithTheLaunchsCounts) {
  // The number of iterations is the thread's number, so that threads leave the loop one by one.
  const std::string ptx = kernel_of(R"(
    mov.u32 %r5, 0;
    mov.u32 %r6, 0;
  LOOP:
    setp.ge.u32 %p1, %r5, %r4;
    @%p1 bra DONE;
    mul.lo.u32 %r6, %r6, 3;
    add.u32 %r6, %r6, %r5;
    add.u32 %r5, %r5, 1;
    bra LOOP;
  DONE:
    st.global.u32 [%rd2], %r6;
    ret;)");
  const Counts counts = count(ptx, 3, 48);
  EXPECT_EQ(sum(counts.warp_instructions), counts.result.warp_instructions);
  EXPECT_EQ(sum(counts.thread_instructions), counts.result.thread_instructions);
  // One store for each warp: three blocks of two warps, with 48 threads each.
  EXPECT_EQ(counts.warp_instructions.at(InstructionClass::memory), 6U);
  EXPECT_EQ(counts.thread_instructions.at(InstructionClass::memory), 3U * 48U);
}

TEST(ExecutionProfile, DistinguishesInstructionClasses) {
  // The atomic's result keeps the branch from becoming a select. 8 of 32 threads take the path with
  // two special functions.
  const std::string ptx = kernel_of(R"(
    atom.global.add.u32 %r5, [%rd1], 1;
    bar.sync 0;
    setp.ge.u32 %p1, %r4, 8;
    @%p1 bra DONE;
    cvt.rn.f32.u32 %f1, %r5;
    sin.approx.f32 %f2, %f1;
    div.rn.f32 %f3, %f2, %f1;
    atom.global.add.f32 %f4, [%rd2+1024], %f3;
  DONE:
    ret;)");
  const Counts counts = count(ptx, 1, 32);
  EXPECT_EQ(counts.warp_instructions.at(InstructionClass::memory), 2U);
  EXPECT_EQ(counts.thread_instructions.at(InstructionClass::memory), 32U + 8U);
  EXPECT_EQ(counts.warp_instructions.at(InstructionClass::special_function), 2U);
  EXPECT_EQ(counts.thread_instructions.at(InstructionClass::special_function), 16U);
  EXPECT_EQ(counts.warp_instructions.at(InstructionClass::synchronisation), 1U);
  EXPECT_EQ(counts.thread_instructions.at(InstructionClass::synchronisation), 32U);
}

}  // namespace
}  // namespace heddle::device::test
