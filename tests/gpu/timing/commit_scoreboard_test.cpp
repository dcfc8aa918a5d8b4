// The scoreboard that all warps share and that commits in order (commit-scoreboard), on a chip.

#include <gtest/gtest.h>

#include <string>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAlu = 8;
constexpr std::uint32_t kMiss = 2 + (1 + 1 + 40 + 1) + (200 + 8) + (5 + 40 + 5);

Settings machine(const Settings& more = {}) {
  return Settings{"dependence.policy=commit-scoreboard",
                  "lsu.address_cycles=2",
                  "l1.latency=20",
                  "units.integer.latency=8",
                  "dram.policy=fixed",
                  "dram.latency=200",
                  "interconnect.latency=40",
                  "dependence.check_values=yes"} +
         more;
}

std::uint32_t cycles(const std::string& body, std::vector<std::string> keep,
                     const Settings& more = {}) {
  const ProbeRun run({.setup = "mul.lo.u32 %r6, %lane, 3;\nmul.lo.u32 %r7, %lane, 5;\n"
                               "setp.lt.u32 %p1, %lane, 16;\n"
                               "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %result;\n",
                      .body = clock(0) + body + clock(1),
                      .keep = std::move(keep)},
                     machine(more));
  EXPECT_EQ(run.counter("dependence.wrong_values"), 0U);
  EXPECT_EQ(run.counter("dependence.full_cycles"), run.counter("warp.dispatch_stall"));
  return run.cycles();
}

const std::string kLoad = "ld.global.u32 %r1, [%data];\n";

TEST(CommitScoreboardTiming, StallsAtTheUseOfAMiss) {
  EXPECT_EQ(cycles(kLoad + "mad.lo.u32 %r2, %r6, %r6, %lane;\nmad.lo.u32 %r3, %r2, %r2, %r6;\n",
                   {"%r1", "%r3"}),
            1 + 1 + kAlu + 1);
  EXPECT_EQ(cycles(kLoad + "mad.lo.u32 %r2, %r1, %r6, %lane;\n", {"%r2"}), 1 + kMiss + 1);
}

TEST(CommitScoreboardTiming, StoreWaitsUntilAnEarlierMissCommits) {
  EXPECT_EQ(cycles(kLoad + "st.global.u32 [%rd1], %lane;\n", {"%r1"}), 1 + kMiss + 1);
  // The addition commits in the cycle after the load.
  EXPECT_EQ(cycles(kLoad + "mad.lo.u32 %r2, %r6, %r6, %lane;\nst.global.u32 [%rd1], %lane;\n",
                   {"%r1", "%r2"}),
            1 + (kMiss + 1) + 1);
}

TEST(CommitScoreboardTiming, LoadWaitsUntilAnEarlierStoreCommits) {
  // The clock read commits in cycle 8, and the store issues then. The store leaves the pipeline in
  // cycle 16.
  const std::string store = "st.global.u32 [%rd1], %lane;\n";
  EXPECT_EQ(cycles(store, {}), kAlu + 1);
  EXPECT_EQ(cycles(store + "mad.lo.u32 %r2, %r6, %r6, %lane;\n", {"%r2"}), kAlu + 1 + 1);
  EXPECT_EQ(cycles(store + kLoad, {"%r1"}), kAlu + kAlu + 1);
}

TEST(CommitScoreboardTiming, PartialWriteWaitsForTheRegistersCommit) {
  const std::string other = "ld.global.u32 %r1, [%data+128];\n";
  EXPECT_EQ(cycles(other + "@%p1 ld.global.u32 %r1, [%data];\n", {"%r1"}), 1 + kMiss + 1);
}

TEST(CommitScoreboardTiming, BarrierWaitsUntilNothingIsInFlight) {
  EXPECT_EQ(cycles(kLoad + "bar.sync 0;\n", {"%r1"}, {"barrier.latency=3"}), 1 + kMiss + 3);
  EXPECT_EQ(cycles(kLoad + "membar.cta;\n", {"%r1"}), 1 + kMiss + 1);
}

TEST(CommitScoreboardTiming, BarrierThatNeedNotCommitIssuesAtOnce) {
  const Settings passes{"barrier.latency=3", "dependence.barriers_commit=no"};
  EXPECT_EQ(cycles(kLoad + "bar.sync 0;\n", {"%r1"}, passes), 1 + 1 + 3);
  EXPECT_EQ(cycles(kLoad + "bar.sync 0;\nmad.lo.u32 %r2, %r1, %r6, %lane;\n", {"%r2"}, passes),
            1 + kMiss + 1)
      << "a use after the barrier still waits for the load";
  EXPECT_EQ(cycles(kLoad + "membar.cta;\n", {"%r1"}, passes), 1 + kMiss + 1);
}

TEST(CommitScoreboardTiming, PredicatesMayHaveNoEntries) {
  const std::string body =
      kLoad +
      "setp.lt.u32 %p2, %r6, %r7;\nsetp.lt.u32 %p3, %r7, %lane;\nsetp.lt.u32 %p4, %r6, %lane;\n"
      "selp.u32 %r10, %r6, %r7, %p2;\nselp.u32 %r11, %r6, %r7, %p3;\n"
      "selp.u32 %r12, %r6, %r7, %p4;\n";
  const std::vector<std::string> kept{"%r1", "%r10", "%r11", "%r12"};
  const Settings five{"dependence.entries=5"};
  // The first clock read, the load and the comparisons take all entries. The first selection gets
  // the clock read's, the others and the second clock read those of the load and the comparisons,
  // which commit one after the other.
  EXPECT_EQ(cycles(body, kept, five), 1 + kMiss + 2);
  // The first comparison issues in cycle 2, and the first selection when it is known.
  const Settings apart = five + Settings{"dependence.predicates_have_entries=no"};
  EXPECT_EQ(cycles(body, kept, apart), 2 + kAlu + 3);
}

TEST(CommitScoreboardTiming, WarpWaitsForAFreeEntry) {
  // With four entries, the first clock read's entry is free from cycle 8 on, and the third addition
  // takes it. The next instruction waits for the load's entry, and the one after it for the next
  // commit.
  const std::string additions =
      "mad.lo.u32 %r10, %r6, %r6, %lane;\nmad.lo.u32 %r11, %r6, %r7, %lane;\n"
      "mad.lo.u32 %r12, %r7, %r7, %lane;\n";
  const std::vector<std::string> kept{"%r1", "%r10", "%r11", "%r12"};
  EXPECT_EQ(cycles(kLoad + additions, kept, {"dependence.entries=8"}), 1 + 1 + 3);
  EXPECT_EQ(cycles(kLoad + additions, kept, {"dependence.entries=4"}), 1 + kMiss)
      << "the second clock waits for an entry, too";
  EXPECT_EQ(cycles(kLoad + additions + "mad.lo.u32 %r13, %r7, %r6, %r6;\n",
                   kept + std::vector<std::string>{"%r13"}, {"dependence.entries=4"}),
            1 + kMiss + 1);
}

TEST(CommitScoreboardTiming, WarpWithoutEntriesExecutesOneInstructionAtATime) {
  // Two warps hold one entry each, and wait for memory. The third warp continues without entries,
  // one instruction at a time.
  const ProbeRun run({.setup = "setp.eq.u32 %p1, %warp, 2;\nmul.lo.u32 %r6, %lane, 3;\n"
                               "mul.wide.u32 %rd1, %warp, 4096;\nadd.u64 %rd1, %rd1, %data;\n",
                      .body = "bar.sync 0;\n@%p1 bra ALONE;\nld.global.u32 %r1, [%rd1];\n"
                              "add.u32 %r1, %r1, 1;\nbra MEET;\nALONE:\n" +
                              repeat(2, "mul.hi.u32 %r#, %r6, 77;\n") + clock(0) +
                              "mad.lo.u32 %r3, %r6, %r6, %lane;\n"
                              "mad.lo.u32 %r4, %r6, %lane, %lane;\n" +
                              clock(1) + "MEET:\n",
                      .keep = {"%r0", "%r1", "%r3", "%r4"}},
                     machine({"dependence.entries=2"}), 3);
  EXPECT_EQ(run.cycles(0, 2), 3 * kAlu);
  EXPECT_GE(run.counter("dependence.issued_without_entry"), 3U);
}

}  // namespace
}  // namespace heddle::gpu::test
