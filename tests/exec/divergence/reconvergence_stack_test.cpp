#include "exec/divergence/reconvergence_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

using code::kNone;

constexpr LaneMask kAll = LaneMask::all();
constexpr LaneMask kLow{0x0000ffff};
constexpr LaneMask kHigh{0xffff0000};

// In these tests, branch(taken, target, next, reconvergence) sends the threads `taken` to `target`
// and the others to `next`. The numbers are program counters.

/// A stack whose threads are at instruction 0.
ReconvergenceStack start_stack(LaneMask threads = kAll) {
  ReconvergenceStack stack;
  stack.start(0, threads, 0);
  return stack;
}

TEST(ReconvergenceStack, UniformBranchPushesNoEntry) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kAll, 7, 1, 9);
  EXPECT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.top().pc, 7u);
  stack.branch(LaneMask{}, 3, 8, 9);
  EXPECT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.top().pc, 8u);
}

// if (lane < 16) { code from 10 on } else { code from 1 on }. Both sides reconverge at 20. The
// taken side runs first.
TEST(ReconvergenceStack, RunsBothSidesOfBranchThenReconverges) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 10, 1, 20);
  ASSERT_EQ(stack.entries().size(), 3u);
  EXPECT_EQ(stack.top().pc, 10u);
  EXPECT_EQ(stack.top().mask, kLow);
  stack.advance(11);
  EXPECT_EQ(stack.top().pc, 11u) << "the reconvergence point has not been reached";
  stack.advance(20);
  EXPECT_EQ(stack.top().pc, 1u);
  EXPECT_EQ(stack.top().mask, kHigh);
  stack.advance(20);
  ASSERT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.top().pc, 20u);
  EXPECT_EQ(stack.top().mask, kAll);
}

// Narasiman et al., Large Warps, figure 3: a warp of four threads that begin in block A, diverge to
// B and C, and reconverge in D.
TEST(ReconvergenceStack, ExecutesControlFlowGraphOfPaper) {
  constexpr std::uint32_t kA = 0, kC = 10, kB = 20, kD = 30;
  constexpr LaneMask kFour{0b1111}, kInB{0b0110}, kInC{0b1001};
  ReconvergenceStack stack = start_stack(kFour);
  EXPECT_EQ(stack.top().pc, kA);
  EXPECT_EQ(stack.entries().size(), 1u) << "no thread has diverged";

  stack.branch(kInB, kB, kC, kD);
  EXPECT_EQ(stack.top().pc, kB);
  EXPECT_EQ(stack.top().mask, kInB);
  ASSERT_EQ(stack.entries().size(), 3u);
  const ReconvergenceStack::Entry& join = stack.entries()[0];
  EXPECT_EQ(join.pc, kD);
  EXPECT_EQ(join.mask, kFour);
  const ReconvergenceStack::Entry& divergent = stack.entries()[1];
  EXPECT_EQ(divergent.pc, kC);
  EXPECT_EQ(divergent.mask, kInC);
  EXPECT_EQ(divergent.reconvergence, kD);

  stack.advance(kD);
  EXPECT_EQ(stack.top().pc, kC);
  EXPECT_EQ(stack.top().mask, kInC);
  EXPECT_EQ(stack.entries().size(), 2u);

  stack.advance(kD);
  EXPECT_EQ(stack.top().pc, kD);
  EXPECT_EQ(stack.top().mask, kFour);
  EXPECT_EQ(stack.entries().size(), 1u);
}

// The graph of the previous test with a large warp (several static warps of 32 threads with one
// stack). It has two rows; a row is one of its static warps. The rows diverge in different lanes,
// and one row diverges again later.
TEST(ReconvergenceStack, ExecutesControlFlowGraphWithTwoRows) {
  using Stack = BasicReconvergenceStack<ThreadSet>;
  constexpr std::uint32_t kC = 10, kB = 20, kD = 30, kInnerEnd = 25;
  const auto rows = [](LaneMask first, LaneMask second) {
    return ThreadSet::of_row(0, first) | ThreadSet::of_row(1, second);
  };
  const ThreadSet all = rows(LaneMask(0b1111), LaneMask(0b1111));
  const ThreadSet in_b = rows(LaneMask(0b0110), LaneMask(0b1100));
  const ThreadSet in_c = rows(LaneMask(0b1001), LaneMask(0b0011));
  Stack stack;
  stack.start(0, all, 0);

  stack.branch(in_b, kB, kC, kD);
  EXPECT_EQ(stack.top().pc, kB);
  EXPECT_EQ(stack.top().mask, in_b);
  ASSERT_EQ(stack.entries().size(), 3u);
  EXPECT_EQ(stack.entries()[0].pc, kD);
  EXPECT_EQ(stack.entries()[0].mask, all);
  EXPECT_EQ(stack.entries()[1].pc, kC);
  EXPECT_EQ(stack.entries()[1].mask, in_c);

  // In B, some threads of the second row run alone for a while.
  const ThreadSet alone = rows({}, LaneMask(0b1100));
  stack.branch(rows(LaneMask(0b0110), {}), kInnerEnd, kB + 1, kInnerEnd);
  EXPECT_EQ(stack.top().pc, kB + 1);
  EXPECT_EQ(stack.top().mask, alone);
  EXPECT_EQ(stack.entries().size(), 4u);
  stack.advance(kInnerEnd);
  EXPECT_EQ(stack.top().pc, kInnerEnd);
  EXPECT_EQ(stack.top().mask, in_b) << "both rows have reconverged";

  stack.advance(kD);
  EXPECT_EQ(stack.top().pc, kC);
  EXPECT_EQ(stack.top().mask, in_c);
  stack.advance(kD);
  ASSERT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.top().pc, kD);
  EXPECT_EQ(stack.top().mask, all);
}

TEST(ReconvergenceStack, ThreadsThatBranchToReconvergencePointWaitThere) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 20, 1, 20);
  ASSERT_EQ(stack.entries().size(), 2u);
  EXPECT_EQ(stack.top().pc, 1u);
  EXPECT_EQ(stack.top().mask, kHigh);
  stack.advance(20);
  EXPECT_EQ(stack.top().mask, kAll);
}

TEST(ReconvergenceStack, DivergentLoopExitsDoNotGrowStack) {
  ReconvergenceStack stack = start_stack();
  for (int lane = 0; lane < 31; ++lane) {
    stack.branch(LaneMask::of_lane(lane), 50, 1, 50);  // One thread leaves the loop,
    EXPECT_EQ(stack.entries().size(), 2u) << "iteration " << lane;
    EXPECT_FALSE(stack.top().mask.contains(lane));
    stack.advance(0);  // the others start the next iteration.
  }
  EXPECT_EQ(stack.top().mask, LaneMask::of_lane(31));
  stack.advance(50);
  ASSERT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.top().mask, kAll);
}

TEST(ReconvergenceStack, PushesNoJoinEntryWithoutReconvergencePoint) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 10, 1, kNone);
  EXPECT_EQ(stack.entries().size(), 2u);
  stack.exit(kLow, 11);
  EXPECT_EQ(stack.top().pc, 1u);
  EXPECT_EQ(stack.top().mask, kHigh);
  EXPECT_EQ(stack.live(), kHigh);
  stack.exit(kHigh, 2);
  EXPECT_TRUE(stack.finished());
}

TEST(ReconvergenceStack, ThreadsThatExitInBranchDoNotReconverge) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 10, 1, 20);
  stack.exit(LaneMask(0x3), 11);  // Two threads exit, the others continue at 11.
  EXPECT_EQ(stack.top().pc, 11u);
  stack.advance(20);
  stack.advance(20);
  EXPECT_EQ(stack.top().mask, LaneMask(0xfffffffc));
}

TEST(ReconvergenceStack, CallReturnsWhenAllThreadsHaveReturned) {
  ReconvergenceStack stack = start_stack();
  stack.top().pc = 5;
  stack.call(stack.frame(), kAll, 100, 32);
  EXPECT_EQ(stack.top().pc, 100u);
  EXPECT_EQ(stack.frame().base, 0u);
  EXPECT_EQ(stack.frame().top, 32u);
  stack.branch(kLow, 110, 101, kNone);
  stack.leave_function(kLow, 111);
  EXPECT_EQ(stack.top().pc, 101u) << "the other side of the callee has not returned";
  EXPECT_EQ(stack.live(), kAll);
  stack.leave_function(kHigh, 102);
  EXPECT_EQ(stack.top().pc, 5u);
  EXPECT_EQ(stack.top().mask, kAll);
  EXPECT_EQ(stack.call_depth(), 1u);
}

TEST(ReconvergenceStack, OtherThreadsWaitDuringCallBySomeThreads) {
  ReconvergenceStack stack = start_stack();
  stack.top().pc = 5;
  stack.call(stack.frame(), kLow, 100, 16);
  EXPECT_EQ(stack.top().mask, kLow);
  stack.leave_function(kLow, 101);
  EXPECT_EQ(stack.top().pc, 5u);
  EXPECT_EQ(stack.top().mask, kAll);
}

TEST(ReconvergenceStack, DivergentRecursionUnwindsLevelByLevel) {
  ReconvergenceStack stack = start_stack();
  // The code of f(n), by program counter:
  //   10: if (n == 0) goto 13;  11: f(n - 1);  12: ...;  13: return
  stack.top().pc = 1;
  stack.call(stack.frame(), kAll, 10, 16);
  stack.branch(kLow, 13, 11, 13);  // The low half ends its recursion,
  EXPECT_EQ(stack.top().pc, 11u);
  stack.top().pc = 12;
  stack.call(stack.frame(), kHigh, 10, 16);  // the high half goes one level deeper.
  EXPECT_EQ(stack.call_depth(), 3u);
  EXPECT_EQ(stack.frame().base, 16u);
  stack.branch(kHigh, 13, 11, 13);
  EXPECT_EQ(stack.top().pc, 13u);
  stack.leave_function(kHigh, 14);
  EXPECT_EQ(stack.top().pc, 12u);
  EXPECT_EQ(stack.top().mask, kHigh);
  EXPECT_EQ(stack.frame().base, 0u);
  stack.advance(13);
  EXPECT_EQ(stack.top().mask, kAll) << "both halves return from the first level together";
  stack.leave_function(kAll, 14);
  EXPECT_EQ(stack.top().pc, 1u);
  EXPECT_EQ(stack.call_depth(), 1u);
}

TEST(ReconvergenceStack, IndirectCallRunsFunctionsOneAfterTheOther) {
  ReconvergenceStack stack = start_stack();
  stack.top().pc = 5;
  const CallFrame caller = stack.frame();
  stack.call(caller, kHigh, 200, 64);
  stack.call(caller, kLow, 100, 16);
  EXPECT_EQ(stack.top().pc, 100u);
  EXPECT_EQ(stack.frame().top, 16u);
  stack.leave_function(kLow, 101);
  EXPECT_EQ(stack.top().pc, 200u);
  EXPECT_EQ(stack.frame().base, 0u) << "both frames begin at the end of the caller's frame";
  EXPECT_EQ(stack.frame().top, 64u);
  stack.leave_function(kHigh, 201);
  EXPECT_EQ(stack.top().pc, 5u);
  EXPECT_EQ(stack.top().mask, kAll);
}

TEST(ReconvergenceStack, MultiwayBranchRunsEachTargetThenReconverges) {
  ReconvergenceStack stack = start_stack();
  stack.branch_many({{LaneMask(0x000000ff), 10}, {LaneMask(0x0000ff00), 20}, {kHigh, 30}}, 30);
  EXPECT_EQ(stack.top().pc, 10u);
  stack.advance(30);
  EXPECT_EQ(stack.top().pc, 20u);
  EXPECT_EQ(stack.top().mask, LaneMask(0x0000ff00));
  stack.advance(30);
  EXPECT_EQ(stack.top().mask, kAll);
  EXPECT_EQ(stack.entries().size(), 1u);
}

TEST(ReconvergenceStack, RotateRunsOtherSideOnceAtBarrier) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 10, 1, 20);
  stack.arrive(kLow);
  ASSERT_TRUE(stack.rotate());
  EXPECT_EQ(stack.top().pc, 1u);
  stack.arrive(kHigh);
  EXPECT_FALSE(stack.rotate()) << "both sides wait at the barrier";
  stack.release([](const ReconvergenceStack::Entry&) { return true; });
  EXPECT_EQ(stack.top().pc, 2u);
  stack.advance(20);
  EXPECT_EQ(stack.top().pc, 11u);
  EXPECT_EQ(stack.top().mask, kLow);
}

TEST(ReconvergenceStack, RotateSkipsThreadsAtReconvergencePoint) {
  ReconvergenceStack stack = start_stack();
  stack.branch(kLow, 10, 20, 20);  // The high half waits at 20 at once.
  stack.arrive(kLow);
  EXPECT_FALSE(stack.rotate());
  EXPECT_EQ(stack.top().mask, kLow);
}

}  // namespace
}  // namespace heddle::exec
