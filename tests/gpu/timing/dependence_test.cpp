// How long a warp waits between dependent instructions, under each dependence policy.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAlu = 8;
constexpr std::uint32_t kLoad = 2 + 20;  // An L1 hit.
constexpr std::uint32_t kMiss = (1 + 1 + 40 + 1) + (200 + 8) + (5 + 40 + 5);

Settings machine(const std::string& policy, const Settings& more = {}) {
  return Settings{"dependence.policy=" + policy, "lsu.address_cycles=2", "l1.latency=20",
                  "units.integer.latency=8",     "dram.policy=fixed",    "dram.latency=200",
                  "interconnect.latency=40"} +
         more;
}

/// Cycles between two clock reads around a load, an independent instruction, and an instruction
/// that reads the loaded value.
std::uint32_t cycles(const std::string& before, const std::string& policy,
                     const Settings& more = {}) {
  return ProbeRun({.setup = before + "mul.lo.u32 %r6, %lane, 3;\n",
                   .body = clock(0) +
                           "ld.global.u32 %r1, [%data];\n"
                           "mad.lo.u32 %r2, %r6, %r6, %lane;\n"
                           "mad.lo.u32 %r3, %r1, %r1, %r6;\n" +
                           clock(1),
                   .keep = {"%r2", "%r3", "%r10"}},
                  machine(policy, more))
      .cycles();
}
const std::string kWarm = "ld.global.u32 %r10, [%data];\n";

TEST(DependencePolicies, ScoreboardStallsAtTheFirstUse) {
  EXPECT_EQ(cycles(kWarm, "scoreboard"), 1 + kLoad + 1);
  EXPECT_EQ(cycles("", "scoreboard"), 1 + 2 + kMiss + 1);
}

TEST(DependencePolicies, StallOnMissSerialisesInstructions) {
  EXPECT_EQ(cycles(kWarm, "stall-on-miss"), kAlu + kLoad + kAlu + kAlu);
  EXPECT_EQ(cycles("", "stall-on-miss"), kAlu + 2 + kMiss + kAlu + kAlu);
}

TEST(DependencePolicies, BarrelFetchesAfterThePreviousInstruction) {
  for (const std::uint32_t fetch : {1U, 3U}) {
    const std::string latency = "fetch.latency=" + std::to_string(fetch);
    EXPECT_EQ(cycles(kWarm, "barrel", {latency}), 3 * kAlu + kLoad + 4 * fetch);
    EXPECT_EQ(cycles("", "barrel", {latency}), 3 * kAlu + 2 + kMiss + 4 * fetch);
  }
}

/// Cycles between two clock reads around an instruction that writes no register.
std::uint32_t cycles_without_result(const std::string& policy, const std::string& instruction) {
  return ProbeRun({.setup = "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %result;\n",
                   .body = clock(0) + instruction + clock(1)},
                  machine(policy))
      .cycles();
}

TEST(DependencePolicies, StallOnMissWaitsForAStoreToLeaveThePipeline) {
  const std::string store = "st.global.u32 [%rd1], %lane;\n";
  EXPECT_EQ(cycles_without_result("scoreboard", store), 1 + 1);
  EXPECT_EQ(cycles_without_result("stall-on-miss", store), kAlu + kAlu);
  EXPECT_EQ(cycles_without_result("barrel", store), kAlu + kAlu + 2);
}

TEST(DependencePolicies, OnlyBarrelWaitsForAReductionToReturn) {
  const std::string reduction = "red.global.add.u32 [%rd1], %lane;\n";
  EXPECT_EQ(cycles_without_result("scoreboard", reduction), 1 + 1);
  EXPECT_LE(cycles_without_result("stall-on-miss", reduction), kAlu + kAlu);
  // To the memory partition and back.
  EXPECT_GT(cycles_without_result("barrel", reduction), kAlu + 40 + 40);
}

TEST(DependencePolicies, ScoreboardKeepsWritesInOrder) {
  // Both loads write one register, and in the guarded lanes the second value must remain. The
  // second load therefore issues only when the first value has arrived.
  const ProbeRun run({.setup = kWarm + "setp.lt.u32 %p1, %lane, 16;\n",
                      .body = clock(0) + "ld.global.u32 %r1, [%data+128];\n" +
                              "@%p1 ld.global.u32 %r1, [%data];\n" + clock(1),
                      .keep = {"%r1", "%r10"}},
                     machine("scoreboard"));
  EXPECT_EQ(run.cycles(), 1 + 2 + kMiss + 1);
}

TEST(DependencePolicies, ScoreboardTracksGuardPredicates) {
  const ProbeRun run({.setup = "mul.lo.u32 %r6, %lane, 3;\nmul.lo.u32 %r7, %lane, 5;\n"
                               "mul.lo.u32 %r2, %lane, 7;\n",
                      .body = clock(0) + "setp.lt.u32 %p1, %r6, 20;\n" +
                              "@%p1 mad.lo.u32 %r2, %r6, %r6, %r7;\n" + clock(1),
                      .keep = {"%r2"}},
                     machine("scoreboard"));
  EXPECT_EQ(run.cycles(), 1 + kAlu + 1);
}

TEST(DependencePolicies, OtherWarpsHideTheLatency) {
  // Each warp executes a chain of dependent multiply-adds of 8 cycles each. Eight such warps, one
  // cycle apart, leave no cycle unused.
  const auto span = [](std::uint32_t warps) {
    const ProbeRun run(
        {.setup = "mul.lo.u32 %r6, %lane, 3;\n",
         .body = "bar.sync 0;\n" + clock(0) + repeat(4, "mad.lo.u32 %r6, %r6, %r6, %lane;\n") +
                 "bar.sync 0;\n" + clock(1),
         .keep = {"%r6"}},
        machine("scoreboard", {"barrier.latency=1"}), warps);
    std::uint32_t first = run.stamp(0, 0);
    std::uint32_t last = run.stamp(1, 0);
    for (std::uint32_t warp = 1; warp < warps; ++warp) {
      first = std::min(first, run.stamp(0, warp));
      last = std::max(last, run.stamp(1, warp));
    }
    return last - first;
  };
  // One more cycle for the barrier after the last link, and one clock for each warp.
  EXPECT_EQ(span(1), 1 + 3 * 8 + 1 + 1);
  EXPECT_EQ(span(8), 8 + 4 * 8 + 8 + 8 - 1) << "clocks, chains, barriers, clocks: no cycle unused";
}

}  // namespace
}  // namespace heddle::gpu::test
