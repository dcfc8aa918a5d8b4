// Which warp issues. The clock values that warps read show the order.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// Warps begin together, read four clocks, and wait for one another.
const Probe kFourClocks{
    .body = "bar.sync 0;\n" + clock(0) + clock(1) + clock(2) + clock(3) + "bar.sync 0;\n",
    .stamps = 4};

TEST(WarpScheduling, RoundRobinRotatesOverWarps) {
  for (const std::uint32_t warps : {2U, 3U, 5U}) {
    const ProbeRun run(kFourClocks, {"schedule.policy=round-robin"}, warps);
    std::set<std::uint32_t> all;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(run.cycles(i, warp), warps);
      for (int i = 0; i < 4; ++i) all.insert(run.stamp(i, warp));
      // Warps issue in the order of their numbers.
      const std::uint32_t next = (warp + 1) % warps;
      EXPECT_EQ((run.stamp(1, next) + warps - run.stamp(1, warp)) % warps, 1 % warps);
    }
    EXPECT_EQ(*all.rbegin() - *all.begin() + 1, 4 * warps) << "no cycle without issue";
  }
}

TEST(WarpScheduling, GreedyStaysWithAWarpUntilItStalls) {
  const ProbeRun run(kFourClocks, {"schedule.policy=greedy-oldest"}, 3);
  std::vector<std::uint32_t> begins;
  for (std::uint32_t warp = 0; warp < 3; ++warp) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run.cycles(i, warp), 1);
    begins.push_back(run.stamp(0, warp));
  }
  std::sort(begins.begin(), begins.end());
  // Four clocks and the barrier.
  EXPECT_EQ(begins[1] - begins[0], 5);
  EXPECT_EQ(begins[2] - begins[1], 5);
}

TEST(WarpScheduling, GreedySwitchesToTheOldestReadyWarp) {
  // Each warp waits 8 cycles for its own result.
  const ProbeRun run(
      {.setup = "mul.lo.u32 %r1, %lane, 3;\n",
       .body = "bar.sync 0;\n" + clock(0) + repeat(2, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") +
               clock(1) + "bar.sync 0;\n",
       .keep = {"%r1"}},
      {"schedule.policy=greedy-oldest", "units.integer.latency=8"}, 3);
  // The warp that arrived last at the barrier goes first, because it issued last. The others follow
  // by age. Each warp issues a clock read and the first instruction of the pair. From the 9th cycle
  // on, each issues the second instruction, a clock read and the barrier, one warp after another.
  std::vector<std::uint32_t> order{0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return run.stamp(0, a) < run.stamp(0, b); });
  const std::uint32_t begin = run.stamp(0, order[0]);
  EXPECT_LT(order[1], order[2]) << "expected the older warp before the younger";
  EXPECT_EQ(run.stamp(0, order[1]), begin + 2);
  EXPECT_EQ(run.stamp(0, order[2]), begin + 4);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t warp = 0; warp < 3; ++warp) ends.push_back(run.stamp(1, warp));
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(ends, (std::vector<std::uint32_t>{begin + 10, begin + 13, begin + 16}));
}

TEST(WarpScheduling, TwoSchedulersIssueIndependently) {
  for (const std::string policy :
       {"schedule.policy=round-robin", "schedule.policy=greedy-oldest"}) {
    const ProbeRun run(
        kFourClocks,
        {policy, "schedule.schedulers=2", "units.integer.pipes=2", "units.fp32.pipes=2"}, 2);
    // Warps 0 and 1 belong to different schedulers and do not delay each other.
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(run.cycles(i, warp), 1) << policy;
    }
    EXPECT_EQ(run.stamp(0, 0), run.stamp(0, 1)) << policy;
  }
}

TEST(WarpScheduling, WarpsDoNotMoveToAnIdleScheduler) {
  // Warps 0 and 2 belong to the first scheduler, warp 1 to the second.
  const ProbeRun run(kFourClocks,
                     {"schedule.policy=round-robin", "schedule.schedulers=2",
                      "units.integer.pipes=2", "units.fp32.pipes=2"},
                     3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run.cycles(i, 0), 2);
    EXPECT_EQ(run.cycles(i, 1), 1);
    EXPECT_EQ(run.cycles(i, 2), 2);
  }
}

/// The cycles of the warps' first clock reads, in ascending order.
std::vector<std::uint32_t> begins_of(const ProbeRun& run, std::uint32_t warps) {
  std::vector<std::uint32_t> begins;
  for (std::uint32_t warp = 0; warp < warps; ++warp) begins.push_back(run.stamp(0, warp));
  std::sort(begins.begin(), begins.end());
  return begins;
}

/// A load, and a second one that depends on it.
const std::string kLoadAndWait =
    "ld.volatile.global.u32 %r1, [%data];\ncvt.u64.u32 %rd1, %r1;\nadd.u64 %rd1, %rd1, %data;\n"
    "ld.volatile.global.u32 %r2, [%rd1];\n";

/// Three clock reads and a load, whose value the warp then waits for.
const Probe kUpToALoad{.body = "bar.sync 0;\n" + clock(0) + clock(1) + clock(2) + kLoadAndWait,
                       .stamps = 3,
                       .keep = {"%r2"}};

TEST(FetchGroups, NextGroupBeginsAfterTheLastWarpOfThePreviousStalls) {
  const ProbeRun run(kUpToALoad, {"schedule.policy=fetch-groups", "schedule.fetch_group=2"}, 6);
  const std::vector<std::uint32_t> begins = begins_of(run, 6);
  // The two warps of a group alternate, with four instructions each.
  for (std::uint32_t group = 0; group < 3; ++group) {
    EXPECT_EQ(begins[2 * group], begins[0] + 8 * group);
    EXPECT_EQ(begins[2 * group + 1], begins[0] + 8 * group + 1);
  }
  for (std::uint32_t warp = 0; warp < 6; ++warp) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run.cycles(i, warp), 2);
  }
}

TEST(FetchGroups, TakeTurnsInABarrel) {
  // A warp can issue again after 12 cycles: one for its fetch and 11 in the pipeline. A group of
  // four warps does not fill 12 cycles, so the next group issues before the first reaches its load.
  const Settings barrel{"dependence.policy=barrel", "schedule.policy=fetch-groups",
                        "units.integer.latency=11"};
  const ProbeRun few(kUpToALoad, barrel + Settings{"schedule.fetch_group=4"}, 24);
  const ProbeRun enough(kUpToALoad, barrel + Settings{"schedule.fetch_group=12"}, 24);
  EXPECT_LT(begins_of(few, 24)[4], begins_of(few, 24)[0] + 12);
  EXPECT_EQ(begins_of(enough, 24)[12], begins_of(enough, 24)[0] + 4 * 12);
}

TEST(ActiveSet, ActivatesAPendingWarpInTheCycleAfterAMemoryStall) {
  const ProbeRun run(kUpToALoad, {"schedule.policy=active-set", "schedule.active_warps=1"}, 5);
  const std::vector<std::uint32_t> begins = begins_of(run, 5);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(begins[i], begins[0] + 4 * i);
}

TEST(ActiveSet, KeepsAWarpThatWaitsForArithmetic) {
  const ProbeRun run(
      {.setup = "mul.lo.u32 %r3, %lane, 3;\n",
       .body = "bar.sync 0;\n" + clock(0) + repeat(2, "mad.lo.u32 %r3, %r3, %r3, %lane;\n") +
               clock(1) + kLoadAndWait,
       .keep = {"%r2", "%r3"}},
      {"schedule.policy=active-set", "schedule.active_warps=1", "units.integer.latency=8"}, 3);
  const std::vector<std::uint32_t> begins = begins_of(run, 3);
  // A warp issues a clock read, the first instruction of the pair, 8 cycles later the second one, a
  // clock read, and the load.
  EXPECT_EQ(begins[1], begins[0] + 12);
  EXPECT_EQ(begins[2], begins[0] + 24);
}

/// Warps that use a constant and then wait for a load.
ProbeRun constant_and_load(const std::string& setup) {
  return ProbeRun(
      {.setup = "mov.u64 %rd3, table;\nand.b32 %r5, %lane, 0;\ncvt.u64.u32 %rd4, %r5;\nadd.u64 "
                "%rd3, %rd3, %rd4;\n" +
                setup,
       .body = "bar.sync 0;\n" + clock(0) +
               "ld.const.u32 %r11, [%rd3+4];\nadd.u32 %r12, %r11, 5;\n" + clock(1) + kLoadAndWait,
       .keep = {"%r2", "%r10", "%r12"},
       .declarations = ".const .align 64 .u32 table[64] = {1, 2, 3, 4, 5, 6, 7, 8};\n"},
      {"schedule.policy=active-set", "schedule.active_warps=1", "constant.latency=9"}, 3);
}

TEST(ActiveSet, KeepsAWarpThatWaitsForAConstantHit) {
  const std::vector<std::uint32_t> begins = begins_of(
      constant_and_load("ld.const.u32 %r10, [%rd3];\nst.global.u32 [%result], %r10;\n"), 3);
  // A warp issues a clock read, the load of the constant, 9 cycles later its use, a clock read, and
  // the load.
  EXPECT_EQ(begins[1], begins[0] + 13);
  EXPECT_EQ(begins[2], begins[0] + 26);
}

TEST(ActiveSet, SuspendsAWarpThatWaitsForAConstantMiss) {
  const std::vector<std::uint32_t> begins = begins_of(constant_and_load(""), 3);
  // A clock read and the load of the constant issue before the suspension.
  EXPECT_EQ(begins[1], begins[0] + 2);
  EXPECT_EQ(begins[2], begins[0] + 4);
}

TEST(ActiveSet, SuspendsWarpsThatWaitAtABarrier) {
  const ProbeRun run({.body = clock(0) + repeat(20, "bar.sync 0;\n") + clock(1)},
                     {"schedule.policy=active-set", "schedule.active_warps=1"}, 16);
  for (std::uint32_t warp = 0; warp < 16; ++warp) EXPECT_GT(run.cycles(0, warp), 0);
}

}  // namespace
}  // namespace heddle::gpu::test
