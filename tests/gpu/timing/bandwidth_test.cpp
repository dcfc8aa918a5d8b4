// Sustained bandwidth of crossbar ports and memory pins under more load than they can carry.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// The lines that a stream reads.
enum class Lines : std::uint8_t {
  same,       ///< The same lines in every iteration: L2 hits.
  different,  ///< Other lines in every iteration: L2 misses.
};

/// Each of the 8 warps on every multiprocessor loads 4 lines in each of `rounds` iterations,
/// bypassing the L1.
ProbeRun stream(Lines lines, std::uint32_t sms, int rounds, const Settings& settings) {
  const std::uint32_t warps = 8;
  const std::uint32_t all = sms * warps;
  // In each iteration a warp loads 512 bytes, next to those of the neighbouring warps.
  const std::uint32_t step = lines == Lines::same ? 0 : all * 512;
  const std::string setup =
      "mad.lo.u32 %r1, %block, " + std::to_string(warps) +
      ", %warp;\nmul.wide.u32 %rd1, %r1, 512;\nadd.u64 %rd1, %rd1, %data;\n"
      "mul.wide.u32 %rd2, %lane, 4;\nadd.u64 %rd1, %rd1, %rd2;\nmov.u32 %r2, 0;\n"
      "mov.u32 %r3, 0;\n";
  const std::string body =
      "loop:\n"
      "ld.global.cg.u32 %r10, [%rd1];\nld.global.cg.u32 %r11, [%rd1+128];\n"
      "ld.global.cg.u32 %r12, [%rd1+256];\nld.global.cg.u32 %r13, [%rd1+384];\n"
      "add.u32 %r10, %r10, %r11;\nadd.u32 %r12, %r12, %r13;\nadd.u32 %r3, %r3, %r10;\n"
      "add.u32 %r3, %r3, %r12;\nadd.u64 %rd1, %rd1, " +
      std::to_string(step) +
      ";\n"
      "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " +
      std::to_string(rounds) + ";\n@%p1 bra loop;\n";
  return ProbeRun(
      {.setup = setup, .body = body, .stamps = 0, .keep = {"%r3"}},
      machine_of(kPlain +
                 Settings{"chip.sms=" + std::to_string(sms), "lsu.queue=64", "l2.bytes=4M"} +
                 settings),
      warps, sms);
}

/// Cycles per line at the shared bottleneck, without the stream's begin and end.
double cycles_per_line(Lines lines, std::uint32_t sms, const Settings& settings) {
  const int rounds = lines == Lines::same ? 64 : static_cast<int>(240 / sms);
  const std::uint64_t once = stream(lines, sms, rounds, settings).chip().cycles();
  const std::uint64_t twice = stream(lines, sms, 2 * rounds, settings).chip().cycles();
  return static_cast<double>(twice - once) / (rounds * 4.0 * 8 * sms);
}

void expect_within_2_percent(double measured, double expected) {
  EXPECT_NEAR(measured, expected, 0.02 * expected);
}

TEST(Bandwidth, IsLimitedByTheMultiprocessorsInputPort) {
  // A line and its header are 136 bytes. The eight partitions could send eight times as much.
  const Settings eight{"memory.partitions=8", "interconnect.bytes_per_cycle=32"};
  expect_within_2_percent(cycles_per_line(Lines::same, 1, eight), 136.0 / 32);
  expect_within_2_percent(
      cycles_per_line(Lines::same, 1, eight + Settings{"interconnect.bytes_per_cycle=16"}),
      136.0 / 16);
  expect_within_2_percent(
      cycles_per_line(Lines::same, 1, eight + Settings{"clock.interconnect_mhz=700"}),
      136.0 / (32 * 0.7));
  expect_within_2_percent(
      cycles_per_line(Lines::same, 1, eight + Settings{"interconnect.header_bytes=0"}), 4);
}

TEST(Bandwidth, IsLimitedByThePartitionsOutputPort) {
  expect_within_2_percent(cycles_per_line(Lines::same, 8, {"interconnect.bytes_per_cycle=32"}),
                          136.0 / 32);
}

TEST(Bandwidth, DoublesWithTwoPartitions) {
  expect_within_2_percent(
      cycles_per_line(Lines::same, 8, {"interconnect.bytes_per_cycle=32", "memory.partitions=2"}),
      136.0 / 64);
}

TEST(Bandwidth, IsLimitedByTheL2Interval) {
  expect_within_2_percent(
      cycles_per_line(Lines::same, 8, {"interconnect.bytes_per_cycle=256", "l2.interval=3"}), 3);
}

TEST(L1Bandwidth, IsALinePerCycle) {
  const ProbeRun run({.setup = repeat(10, "ld.global.u32 %r1#, [%data+0x#00];\n"),
                      .body = clock(0) + repeat(10, "ld.global.u32 %r2#, [%data+0x#04];\n") +
                              clock(1) + "add.u32 %r30, %r29, 1;\n" + clock(2),
                      .stamps = 3,
                      .keep = registers("%r", 20, 10) + Settings{"%r30"}},
                     Settings{"lsu.address_cycles=2", "l1.latency=20"});
  EXPECT_EQ(run.cycles(0), 11);
  EXPECT_EQ(run.stamp(2) - run.stamp(0), 10 + 22 + 1);
}

/// Memory with a fixed latency of 400 cycles. Its queues hold all requests that can be in flight.
const Settings kFixed{"dram.policy=fixed", "dram.latency=400", "dram.queue_entries=512",
                      "memory.queue=512", "l2.mshrs=512"};

TEST(FixedLatencyMemoryBandwidth, IsThatOfThePins) {
  for (const int bytes : {8, 16, 24}) {
    expect_within_2_percent(
        cycles_per_line(Lines::different, 4,
                        kFixed + Settings{"dram.bandwidth_bytes=" + std::to_string(bytes)}),
        128.0 / bytes);
  }
}

TEST(FixedLatencyMemoryBandwidth, IsLimitedByAShortQueue) {
  // Each request occupies its queue entry for 400 cycles and for 8 cycles of the pins.
  expect_within_2_percent(
      cycles_per_line(Lines::different, 4, kFixed + Settings{"dram.queue_entries=32"}), 408.0 / 32);
}

TEST(FixedLatencyMemoryBandwidth, MayBeFractional) {
  // 173 GB/s in 6 channels at 924 MHz; in core cycles of 1400 MHz this is 31.2 x 924 / 1400 bytes
  // per cycle.
  expect_within_2_percent(
      cycles_per_line(Lines::different, 4,
                      kFixed + Settings{"clock.core_mhz=1400", "clock.dram_mhz=924",
                                        "interconnect.bytes_per_cycle=64",
                                        "dram.bandwidth_bytes=21625", "dram.bandwidth_cycles=693"}),
      128.0 / (21625.0 / 693 * 924 / 1400));
}

TEST(DramBandwidth, IsThatOfThePinsWhileRowsAreOpen) {
  for (const std::string policy :
       {"dram.policy=fcfs", "dram.policy=fcfs-per-bank", "dram.policy=fr-fcfs"}) {
    expect_within_2_percent(
        cycles_per_line(Lines::different, 4,
                        {policy, "dram.bandwidth_bytes=16", "dram.queue_entries=32"}),
        8);
  }
}

TEST(Bandwidth, ScalesWithChannels) {
  expect_within_2_percent(
      cycles_per_line(Lines::different, 4,
                      {"dram.policy=fr-fcfs", "dram.bandwidth_bytes=16", "memory.partitions=4"}),
      2);
}

}  // namespace
}  // namespace heddle::gpu::test
