// Dynamic warp formation (DWF) on a strict barrel. It forms warps from threads of different static
// warps (32 consecutive threads of a block). The tests check which threads are grouped, and the
// effect on memory accesses.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/divergence_setups.h"
#include "gpu/traced_run.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;

/// Cycles from a warp's instruction to its next (Narasiman et al., Large Warps, table 1).
constexpr std::uint32_t kStages = 7;
/// More warps than pipeline stages, so that leading warps wait to be scheduled.
constexpr std::uint32_t kWarps = 16;

Machine barrel(const Settings& settings) {
  return load_machine("large-warps", Settings{"icache.bytes=0"} + settings);
}

std::string times(int count, const std::string& text) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

/// %p1 is true for the first half of the lanes of even warps and for the second half of odd ones.
/// Two such halves fill a warp.
const std::string kComplementaryHalves = R"(
  shr.u32 %r5, %r4, 5;
  shr.u32 %r6, %r4, 4;
  xor.b32 %r5, %r5, %r6;
  and.b32 %r5, %r5, 1;
  setp.eq.u32 %p1, %r5, 0;
)";
/// %p1 is true for the first half of every warp's lanes. Such halves conflict: they use the same
/// lanes.
const std::string kConflictingHalves = R"(
  and.b32 %r5, %r4, 16;
  setp.eq.u32 %p1, %r5, 0;
)";

/// A kernel with a branch on %p1. The threads of both sides execute `work` instructions and exit
/// without reconverging.
std::string parting_kernel(const std::string& condition, int work) {
  const std::string side =
      times(work, "mad.lo.u32 %r10, %r10, %r10, %r4;\n") + "st.global.u32 [%rd2], %r10;\n exit;\n";
  return kernel_of("mov.u32 %r10, %r1;\n" + condition + "@%p1 bra OTHER;\n" + side + "OTHER:\n" +
                   times(work, "mad.lo.u32 %r10, %r10, %r10, %r1;\n") +
                   "st.global.u32 [%rd2], %r10;\n exit;\n");
}

/// Runs a kernel with one block.
class BlockRun {
 public:
  BlockRun(const std::string& ptx, const Settings& settings) : run_(ptx, barrel(settings)) {
    run_.launch("k", {1}, {kWarps * 32}, run_.zeros<std::uint32_t>(kWarps * 32));
  }
  std::uint64_t counter(std::string_view name) const { return run_.counter(name); }

 private:
  ChipRun run_;
};

class FormedWarps : public testing::TestWithParam<Settings> {};

TEST_P(FormedWarps, AreFullWhenHalvesOfTwoWarpsUseDifferentLanes) {
  const BlockRun run(parting_kernel(kComplementaryHalves, 20), GetParam());
  EXPECT_EQ(run.counter("lanes.32"), run.counter("sm.warp_instructions"));
  // As many instructions issue as if no thread had diverged.
  EXPECT_EQ(run.counter("sm.thread_instructions"), 32 * run.counter("sm.warp_instructions"));
  const BlockRun by_stack(parting_kernel(kComplementaryHalves, 20), {});
  EXPECT_EQ(by_stack.counter("sm.thread_instructions"), run.counter("sm.thread_instructions"));
  EXPECT_EQ(by_stack.counter("lanes.16"),
            2 * (run.counter("lanes.32") - by_stack.counter("lanes.32")));
}

TEST_P(FormedWarps, StayHalfFullWhenLanesConflict) {
  const BlockRun run(parting_kernel(kConflictingHalves, 20), GetParam());
  const BlockRun by_stack(parting_kernel(kConflictingHalves, 20), {});
  for (const char* const counter : {"lanes.32", "lanes.16", "sm.warp_instructions"}) {
    EXPECT_EQ(run.counter(counter), by_stack.counter(counter)) << counter;
  }
  EXPECT_GE(run.counter("lanes.16"), 2 * kWarps * 20);
}

TEST_P(FormedWarps, WithThreadsOfTwoWarpsAccessTheLinesOfBoth) {
  // The two sides reconverge before a load that reads one line per static warp. Formed warps with
  // threads of two static warps need two lines each.
  const auto meeting = [](const std::string& load) {
    return kernel_of("mov.u32 %r10, %r1;\n mov.u32 %r11, 0;\n" + kComplementaryHalves +
                     "@%p1 bra OTHER;\n" + times(20, "mad.lo.u32 %r10, %r10, %r10, %r4;\n") +
                     "bra MEET;\nOTHER:\n" + times(20, "mad.lo.u32 %r10, %r10, %r10, %r1;\n") +
                     "MEET:\n" + load +
                     "add.u32 %r10, %r10, %r11;\n st.global.u32 [%rd2], %r10;\n"
                     "ret;\n");
  };
  const std::string load = "ld.global.u32 %r11, [%rd2];\n";
  const auto accesses = [&](const Settings& settings) {
    return BlockRun(meeting(load), settings).counter("l1.accesses") -
           BlockRun(meeting(""), settings).counter("l1.accesses");
  };
  EXPECT_EQ(accesses({}), kWarps);
  EXPECT_EQ(accesses(GetParam()), 2 * kWarps);
}

/// Each half of a warp takes one side of a branch and reads the clock repeatedly. Its threads store
/// the first and the last value.
const std::string kClocksOfSides = kernel_of(R"(
  shl.b32 %r9, %r4, 2;
  cvt.u64.u32 %rd3, %r9;
  add.u64 %rd2, %rd2, %rd3;
  setp.lt.u32 %p1, %r4, 16;
  @%p1 bra OTHER;
  mov.u32 %r20, %clock;
)" + times(10, "mov.u32 %r21, %clock;\n st.global.u32 [%rd2+4], %r21;\n") +
                                             R"(
  st.global.u32 [%rd2], %r20;
  exit;
OTHER:
  mov.u32 %r20, %clock;
)" + times(10, "mov.u32 %r21, %clock;\n st.global.u32 [%rd2+4], %r21;\n") +
                                             R"(
  st.global.u32 [%rd2], %r20;
  exit;
)");

TEST_P(FormedWarps, OfBothSidesOfABranchInterleave) {
  ChipRun run(kClocksOfSides, barrel(GetParam()));
  const device::DevicePointer out = run.zeros<std::uint32_t>(64);
  run.launch("k", {1}, {32}, out);
  const std::vector<std::uint32_t> clocks = run.download<std::uint32_t>(out, 64);
  const std::uint32_t one = clocks[0], other = clocks[62];
  EXPECT_EQ(one > other ? one - other : other - one, 1U) << "the sides issue in successive cycles";
  // Eleven clock reads and the nine stores between them: 19 intervals.
  EXPECT_EQ(clocks[1] - clocks[0], 19 * kStages);
  EXPECT_EQ(clocks[63] - clocks[62], 19 * kStages);
}

TEST_P(FormedWarps, CountAReconvergencePointOnceWhenThreadsWaitForAWarpSlot) {
  // There are only as many warp slots as static warps, so the threads of one side of each branch
  // must wait for a warp slot.
  const std::string work = times(20, "mad.lo.u32 %r10, %r10, %r10, %r4;\n");
  const std::string meet = "MEET:\n st.global.u32 [%rd2], %r10;\n exit;\n";
  for (const std::string& sides : {"@%p1 bra MEET;\n" + work + meet,
                                   "@%p1 bra WORK;\n" + meet + "WORK:\n" + work + "bra MEET;\n"}) {
    TraceText trace;
    const Settings slots{"sm.warps=16", "divergence.formed_warps=16"};
    ChipRun run(kernel_of("mov.u32 %r10, %r1;\n" + kConflictingHalves + sides),
                barrel(slots + GetParam()), {.trace = trace.trace()});
    run.launch("k", {1}, {kWarps * 32}, run.zeros<std::uint32_t>(kWarps * 32));
    std::uint64_t most = 0;
    for (const TracedEvent& event : trace.events()) {
      if (event.event == "form") most = std::max(most, event.number("passed"));
    }
    EXPECT_EQ(most, 1U) << sides;
  }
}

INSTANTIATE_TEST_SUITE_P(, FormedWarps, testing::Values(kMajority, kPostDominator),
                         [](const auto& tested) {
                           return tested.param == kMajority ? "Majority" : "PostDominator";
                         });

TEST(StackWarps, ExecuteOneSideOfABranchAfterTheOther) {
  ChipRun run(kClocksOfSides, barrel({}));
  const device::DevicePointer out = run.zeros<std::uint32_t>(64);
  run.launch("k", {1}, {32}, out);
  const std::vector<std::uint32_t> clocks = run.download<std::uint32_t>(out, 64);
  const std::uint32_t first_side_ends = std::min(clocks[1], clocks[63]);
  EXPECT_GT(std::max(clocks[0], clocks[62]), first_side_ends);
}

}  // namespace
}  // namespace heddle::gpu::test
