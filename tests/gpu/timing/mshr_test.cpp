// Misses that share a line, and misses without a free MSHR.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAddress = 2;
constexpr std::uint32_t kL1 = 20;
constexpr std::uint32_t kPins = 8;
/// From a miss to its data: the request's path (a cycle until it leaves, the ports and the
/// crossbar); memory and its pins; the response's path (136 bytes on ports of 32 bytes per cycle).
constexpr std::uint32_t kMiss = (1 + 1 + 40 + 1) + (300 + kPins) + (5 + 40 + 5);

Settings machine(const Settings& more) {
  return Settings{"lsu.address_cycles=2", "l1.latency=20",    "interconnect.latency=40",
                  "dram.policy=fixed",    "dram.latency=300", "dram.bandwidth_bytes=16",
                  "lsu.queue=64",         "memory.queue=64",  "dram.queue_entries=64"} +
         more;
}

/// Loads of words that all lanes read, `distance` bytes apart; the last value is used.
ProbeRun loads(std::uint32_t count, std::uint32_t distance, const Settings& settings) {
  std::string body = clock(0);
  for (std::uint32_t i = 0; i < count; ++i) {
    body += "ld.global.u32 %r" + std::to_string(i) + ", [%data+" + std::to_string(i * distance) +
            "];\n";
  }
  const std::string last = "%r" + std::to_string(count - 1);
  return ProbeRun({.body = body + "add.u32 %r50, " + last + ", 5;\n" + clock(1),
                   .keep = registers("%r", static_cast<int>(count)) + Settings{"%r50"}},
                  machine(settings));
}

TEST(MissTiming, WarpsThatMissTheSameLineFetchItOnce) {
  const ProbeRun run({.body = "bar.sync 0;\n" + clock(0) +
                              "ld.global.u32 %r1, [%data];\nadd.u32 %r2, %r1, 5;\n" + clock(1),
                      .keep = {"%r2"}},
                     machine({}), 2);
  EXPECT_EQ(run.counter("l1.misses"), 1);
  EXPECT_EQ(run.counter("l1.merged"), 1);
  // The other read is the probe's load before the measurement.
  EXPECT_EQ(run.counter("dram.reads"), 2);
  // The two warps issue clock, clock, load, load. When the first load's data arrive, they issue
  // use, use, clock, clock.
  EXPECT_EQ(run.cycles(0, 0), 2 + kAddress + kMiss + 2);
  EXPECT_EQ(run.cycles(0, 1), 2 + kAddress + kMiss + 2);
}

TEST(MissTiming, MultiprocessorsThatMissTheSameLineFetchItOnce) {
  const Probe probe{
      .body = clock(0) + "ld.global.u32 %r1, [%data];\nadd.u32 %r2, %r1, 5;\n" + clock(1),
      .keep = {"%r2"}};
  const ProbeRun run(probe, machine({"chip.sms=2"}), 1, 2);
  EXPECT_EQ(run.counter("l1.misses"), 2);
  EXPECT_EQ(run.counter("l2.merged"), 2) << "the measured line, and the probe's load before it";
  EXPECT_EQ(run.counter("dram.reads"), 2);
}

TEST(MissTiming, MissesOverlapWhileMshrsAreFree) {
  for (const std::uint32_t misses : {2U, 3U, 5U}) {
    // The last miss's data pass the pins after the others'.
    EXPECT_EQ(loads(misses, 128, {"l1.mshrs=" + std::to_string(misses)}).cycles(),
              1 + kAddress + kMiss + kPins * (misses - 1) + 1)
        << misses << " misses";
  }
}

TEST(MissTiming, MissWithoutAFreeMshrWaitsForTheFirstResponse) {
  for (const std::uint32_t mshrs : {1U, 2U, 4U}) {
    const ProbeRun run = loads(mshrs + 1, 128, {"l1.mshrs=" + std::to_string(mshrs)});
    EXPECT_EQ(run.cycles(), 1 + kAddress + kMiss + kMiss + 1) << mshrs << " MSHRs";
    // The last miss reached the L1 `mshrs` cycles after the first miss.
    EXPECT_EQ(run.counter("l1.mshrs_full_cycles"), kMiss - mshrs) << mshrs << " MSHRs";
  }
}

TEST(MissTiming, MergedMissesGetTheirDataTogether) {
  EXPECT_EQ(loads(3, 4, {"l1.merges=3"}).cycles(), 1 + kAddress + kMiss + 1);
}

TEST(MissTiming, MissBeyondTheMergeLimitRetriesWhenTheLineArrives) {
  const ProbeRun run = loads(3, 4, {"l1.merges=2"});
  EXPECT_EQ(run.cycles(), 1 + kAddress + kMiss + kL1 + 1);
  EXPECT_EQ(run.counter("l1.merges_full_cycles"), kMiss - 2);
  EXPECT_EQ(run.counter("l1.hits"), 1);
}

TEST(MissTiming, HitsProceedUnderAMiss) {
  const ProbeRun run({.setup = "ld.global.u32 %r10, [%data+256];\n",
                      .body = clock(0) +
                              "ld.global.u32 %r1, [%data];\nld.global.u32 %r2, [%data+256];\n"
                              "add.u32 %r3, %r2, 5;\n" +
                              clock(1),
                      .keep = {"%r1", "%r3", "%r10"}},
                     machine({}));
  EXPECT_EQ(run.cycles(), 2 + kAddress + kL1 + 1);
}

TEST(MissTiming, BlockedMissStallsTheHitBehindIt) {
  const ProbeRun run({.setup = "ld.global.u32 %r10, [%data+512];\n",
                      .body = clock(0) +
                              "ld.global.u32 %r1, [%data];\nld.global.u32 %r2, [%data+128];\n"
                              "ld.global.u32 %r3, [%data+512];\nadd.u32 %r4, %r3, 5;\n" +
                              clock(1),
                      .keep = {"%r1", "%r2", "%r4", "%r10"}},
                     machine({"l1.mshrs=1"}));
  // The second miss proceeds when the first one's line arrives, the hit a cycle later.
  EXPECT_EQ(run.cycles(), 1 + kAddress + kMiss + 1 + kL1 + 1);
}

TEST(MissTiming, FullyReservedSetBlocksAnotherMiss) {
  // The set has two ways. The third line of the set (lines are 8192 / 2 bytes apart) waits for the
  // first.
  EXPECT_EQ(loads(3, 4096, {"l1.bytes=8192", "l1.ways=2"}).cycles(), 1 + kAddress + 2 * kMiss + 1);
}

TEST(MissTiming, FullL2BlocksAnotherMiss) {
  // The L1 has sent both misses. The L2's only MSHR is free when the first one's data arrive from
  // memory; then the second takes memory, the pins, and the response's path.
  EXPECT_EQ(loads(2, 128, {"l2.mshrs=1"}).cycles(),
            1 + kAddress + (1 + 1 + 40 + 1) + 2 * (300 + kPins) + (5 + 40 + 5) + 1);
}

}  // namespace
}  // namespace heddle::gpu::test
