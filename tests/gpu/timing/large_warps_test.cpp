// Large warps on a strict barrel of 7 stages: how they are broken down into sub-warps, and which
// lines they access. A large warp consists of rows of 32 threads; a sub-warp is the threads that
// issue in one cycle, at most one per lane.

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// Cycles from a warp's instruction to its next: fetch and decode, and the five stages of the back
/// end (Narasiman et al., Large Warps, table 1).
constexpr std::uint32_t kStages = 7;

Machine barrel(const Settings& settings = {}) {
  return load_machine("large-warps", Settings{"icache.bytes=0", "divergence.policy=large-warp",
                                              "divergence.large_warp=256"} +
                                         settings);
}

/// A probe with a branch: the threads for which `condition` sets %p1 execute `body`, all others
/// skip it.
Probe on_one_side(const std::string& condition, const std::string& body) {
  return {.setup = "mov.u32 %c0, 0;\nmov.u32 %c1, 0;\n" + condition,
          .body = "@!%p1 bra MEET;\n" + body + "MEET:\n"};
}

/// %p1 is true for the first half of the lanes of even rows and for the second half of odd ones.
/// Two such halves fill a sub-warp.
const std::string kComplementaryHalves =
    "shr.u32 %r1, %lane, 4;\nand.b32 %r2, %warp, 1;\nsetp.eq.u32 %p1, %r1, %r2;\n";
/// %p1 is true for the first half of every row's lanes. Such halves conflict: they use the same
/// lanes.
const std::string kConflictingHalves = "setp.lt.u32 %p1, %lane, 16;\n";

TEST(LargeWarps, IssueOneFullRowPerCycle) {
  for (const std::uint32_t rows : {1U, 2U, 5U, 8U}) {
    const ProbeRun run({.body = clock(0) + clock(1)}, barrel(), rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      EXPECT_EQ(run.cycles(0, row), rows - 1 + kStages) << "row " << row << " of " << rows;
    }
  }
}

TEST(LargeWarps, PackHalfRowsInDifferentLanes) {
  for (const std::uint32_t rows : {2U, 4U, 8U}) {
    const ProbeRun run(on_one_side(kComplementaryHalves, clock(0) + clock(1)), barrel(), rows);
    EXPECT_EQ(run.cycles(0, 0), rows / 2 - 1 + kStages) << rows;
  }
}

TEST(LargeWarps, TakeACyclePerRowWhenLanesConflict) {
  for (const std::uint32_t rows : {2U, 4U, 8U}) {
    const ProbeRun run(on_one_side(kConflictingHalves, clock(0) + clock(1)), barrel(), rows);
    EXPECT_EQ(run.cycles(0, 0), rows - 1 + kStages) << rows;
  }
}

TEST(LargeWarps, CountASubWarpPerCycle) {
  constexpr int kMore = 10;
  const auto run = [](const std::string& condition, int instructions) {
    Probe probe = on_one_side(
        condition, clock(0) + repeat(instructions, "mad.lo.u32 %r9, %r9, %r9, %lane;\n"));
    probe.setup += "mul.lo.u32 %r9, %lane, 3;\n";
    probe.keep = {"%r9"};
    return ProbeRun(probe, barrel(), 8);
  };
  // Each additional instruction issues in four full sub-warps, or in eight half-empty ones.
  const ProbeRun full = run(kComplementaryHalves, 5 + kMore);
  const ProbeRun full_base = run(kComplementaryHalves, 5);
  EXPECT_EQ(full.counter("lanes.32") - full_base.counter("lanes.32"), 4 * kMore);
  EXPECT_EQ(full.counter("sm.warp_instructions") - full_base.counter("sm.warp_instructions"),
            4 * kMore);
  EXPECT_EQ(full.counter("sm.thread_instructions") - full_base.counter("sm.thread_instructions"),
            128 * kMore);
  const ProbeRun half = run(kConflictingHalves, 5 + kMore);
  const ProbeRun half_base = run(kConflictingHalves, 5);
  EXPECT_EQ(half.counter("lanes.16") - half_base.counter("lanes.16"), 8 * kMore);
  EXPECT_EQ(half.counter("sm.thread_instructions") - half_base.counter("sm.thread_instructions"),
            128 * kMore);
}

TEST(LargeWarps, ResolveABranchAfterItsLastSubWarp) {
  // Only the threads of one row diverge, the first or the last. The first instruction of either
  // side issues when the branch's last sub-warp has left the pipeline.
  for (const std::uint32_t rows : {2U, 8U}) {
    for (const std::uint32_t diverging_row : {0U, rows - 1}) {
      const ProbeRun run(
          {.setup = "mov.u32 %c1, 0;\nsetp.eq.u32 %p1, %warp, " + std::to_string(diverging_row) +
                    ";\nsetp.gt.and.u32 %p1, %lane, 7, %p1;\n",
           .body = clock(0) + "@%p1 bra MEET;\n" + clock(1) + "MEET:\n"},
          barrel(), rows);
      for (std::uint32_t row = 0; row < rows; ++row) {
        EXPECT_EQ(run.cycles(0, row), 2 * (rows - 1 + kStages)) << diverging_row << " of " << rows;
      }
    }
  }
}

TEST(LargeWarps, ReconvergeAfterBothSides) {
  // Eight rows diverge into two sides of four sub-warps each. Each side reads the clock twice; all
  // threads read it once more after reconvergence.
  const ProbeRun run({.setup = kComplementaryHalves,
                      .body = "@!%p1 bra OTHER;\n" + clock(0) + clock(1) + "bra MEET;\nOTHER:\n" +
                              clock(0) + clock(1) + "MEET:\n" + clock(2),
                      .stamps = 3},
                     barrel(), 8);
  constexpr std::uint32_t kHalf = 4 - 1 + kStages;
  for (std::uint32_t row = 0; row < 8; ++row) EXPECT_EQ(run.cycles(0, row), kHalf);
  // The first lane of row 0 is on one side, and the first lane of row 1 on the other. One side
  // executes completely before the other.
  const std::uint32_t first = std::min(run.stamp(0, 0), run.stamp(0, 1));
  const std::uint32_t second = std::max(run.stamp(0, 0), run.stamp(0, 1));
  EXPECT_GE(second, first + 2 * kHalf);
  for (std::uint32_t row = 0; row < 8; ++row) {
    EXPECT_EQ(run.stamp(2, row), run.stamp(2, 0)) << "all rows have reconverged";
    EXPECT_GE(run.stamp(2, row), second + 2 * kHalf);
  }
}

/// A jump that the compiler keeps, because it skips the target of another branch.
const Probe kOneJump{.setup = "mul.lo.u32 %r5, %lane, 3;\nsetp.gt.u32 %p2, %warp, 100;\n",
                     .body = "@%p2 bra OVER;\n" + clock(0) + "bra.uni ON;\nOVER:\n" + clock(0) +
                             "add.u32 %r5, %r5, 1;\nON:\n" + clock(1),
                     .keep = {"%r5"}};

TEST(LargeWarps, JumpInOneCycleWhateverTheirSize) {
  for (const std::uint32_t rows : {1U, 4U, 8U}) {
    const ProbeRun run(kOneJump, barrel(), rows);
    EXPECT_EQ(run.cycles(), rows - 1 + kStages + kStages) << rows;
    const ProbeRun slow(kOneJump, barrel({"divergence.single_cycle_jumps=false"}), rows);
    EXPECT_EQ(slow.cycles(), 2 * (rows - 1 + kStages)) << rows;
  }
}

TEST(LargeWarps, TakeTurnsAndIssueTheirSubWarpsBackToBack) {
  const Probe probe{.body = "bar.sync 0;\n" + clock(0) + clock(1) + clock(2), .stamps = 3};
  // Two large warps of eight rows fill the pipeline; two of three rows do not.
  const ProbeRun full(probe, barrel(), 16);
  for (std::uint32_t warp = 0; warp < 16; ++warp) {
    EXPECT_EQ(full.cycles(0, warp), 16);
    EXPECT_EQ(full.cycles(1, warp), 16);
    EXPECT_EQ(full.stamp(1, warp), full.stamp(1, warp / 8 * 8));
  }
  const std::uint32_t apart = (full.stamp(1, 8) + 16 - full.stamp(1, 0)) % 16;
  EXPECT_EQ(apart, 8);

  const ProbeRun partly(probe, barrel({"divergence.large_warp=96"}), 6);
  for (std::uint32_t warp = 0; warp < 6; ++warp) {
    EXPECT_EQ(partly.cycles(0, warp), 3 - 1 + kStages);
    EXPECT_EQ(partly.cycles(1, warp), 3 - 1 + kStages);
  }
  const std::uint32_t between = partly.stamp(1, 3) > partly.stamp(1, 0)
                                    ? partly.stamp(1, 3) - partly.stamp(1, 0)
                                    : partly.stamp(1, 0) - partly.stamp(1, 3);
  EXPECT_GE(between, 3U) << "a warp issues only after the other's last sub-warp";
}

/// %p1 is true for lane l of row r if (l + r) % 8 < 4, that is for four rows of each lane.
const std::string kSlanted =
    "add.u32 %r1, %lane, %warp;\nand.b32 %r1, %r1, 7;\nsetp.lt.u32 %p1, %r1, 4;\n";

ProbeRun slanted(const std::string& access, const Settings& settings,
                 const std::string& locals = "") {
  return ProbeRun({.setup = "mul.wide.u32 %rd1, %thread, 4;\nadd.u64 %rd1, %rd1, %data;\n"
                            "mov.u32 %r5, 7;\nmov.u32 %c0, 0;\nmov.u32 %c1, 0;\n" +
                            kSlanted,
                   .body = "@!%p1 bra MEET;\n" + clock(0) + access + clock(1) + "MEET:\n",
                   .keep = {"%r5"},
                   .locals = locals},
                  barrel(settings), 8);
}

TEST(LargeWarps, AccessOneLinePerRowWithMemoryByRows) {
  // A row's words fill a line. A packed sub-warp has threads of five rows.
  const std::string load = "ld.global.u32 %r5, [%rd1];\n";
  const Settings packed{"divergence.memory_by_rows=false"};
  const std::uint64_t without = slanted("", {}).counter("l1.accesses");
  EXPECT_EQ(slanted(load, {}).counter("l1.accesses") - without, 8U);
  EXPECT_EQ(slanted(load, packed).counter("l1.accesses") - without, 20U);
}

TEST(LargeWarps, TakeACyclePerRowForMemoryByRows) {
  // Stores do not make the warp wait for memory.
  const std::string store = "st.global.u32 [%rd1], %r5;\n";
  constexpr std::uint32_t kClock = 4 - 1 + kStages;
  EXPECT_EQ(slanted(store, {}).cycles(), kClock + 8 - 1 + kStages);
  EXPECT_EQ(slanted(store, {"divergence.memory_by_rows=false"}).cycles(), kClock + 4 - 1 + kStages);
}

TEST(LargeWarps, AccessPrivateMemoryPackedAndOtherLocalMemoryByRows) {
  const auto cycles = [](const Settings& settings) {
    return slanted("st.local.u32 [frame], %r5;\n", settings, ".local .b32 frame;\n").cycles();
  };
  constexpr std::uint32_t kClock = 4 - 1 + kStages;
  EXPECT_EQ(cycles({"local.private_bytes=4"}), kClock + 4 - 1 + kStages);
  EXPECT_EQ(cycles({"local.private_bytes=0"}), kClock + 8 - 1 + kStages);
}

}  // namespace
}  // namespace heddle::gpu::test
