// Load-to-use latency through every level of memory. It is the sum of machine parameters. The
// constants below are in cycles.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAddress = 3;  // From issue to the L1 lookup.
constexpr std::uint32_t kL1 = 21;
constexpr std::uint32_t kLink = 37;
constexpr std::uint32_t kL2 = 90;
constexpr std::uint32_t kFixed = 211;
constexpr std::uint32_t kTcl = 11, kTrp = 13, kTrcd = 17, kOverhead = 40;
/// A line of 128 bytes on pins that carry 16 bytes per cycle.
constexpr std::uint32_t kPins = 8;
/// One cycle until the request leaves, and one on each of the two ports.
constexpr std::uint32_t kRequestPath = 1 + 1 + kLink + 1;
/// A line and 8 bytes of header on ports of 32 bytes a cycle: 4.25 cycles.
constexpr std::uint32_t kResponsePath = 5 + kLink + 5;
constexpr std::uint32_t kCrossbar = kRequestPath + kResponsePath;

Settings machine(const Settings& more = {}) {
  return Settings{"lsu.address_cycles=3",
                  "l1.latency=21",
                  "interconnect.latency=37",
                  "interconnect.bytes_per_cycle=32",
                  "interconnect.header_bytes=8",
                  "l2.latency=90",
                  "dram.latency=211",
                  "dram.bandwidth_bytes=16",
                  "dram.cas_latency=11",
                  "dram.precharge=13",
                  "dram.activate=17",
                  "dram.active=30",
                  "dram.overhead=40",
                  "dram.row_bytes=4096",
                  "dram.banks=8"} +
         more;
}

const std::string kLine = "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %data;\n";
const std::string kLoadAndUse = "ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 5;\n";

/// Executes `before`, then measures a load and its first use between two clock reads. The load
/// issues a cycle after the first read, and the use a cycle before the second.
ProbeRun measure(const std::string& before, const Settings& settings,
                 const std::string& body = kLoadAndUse) {
  return ProbeRun(
      {.setup = kLine + before, .body = clock(0) + body + clock(1), .keep = {"%r2", "%r10"}},
      settings);
}
std::uint32_t load_to_use(const std::string& before, const Settings& settings) {
  return measure(before, settings).cycles() - 2;
}

TEST(LoadTiming, L1HitTakesAddressAndL1Latency) {
  EXPECT_EQ(load_to_use("ld.global.u32 %r10, [%rd1];\n", machine()), kAddress + kL1);
  EXPECT_EQ(load_to_use("ld.global.u32 %r10, [%rd1];\n",
                        machine({"lsu.address_cycles=0", "l1.latency=1"})),
            1);
}

TEST(LoadTiming, EachFurtherSegmentTakesOneCycle) {
  const std::string strided = "mul.wide.u32 %rd1, %lane, 16;\nadd.u64 %rd1, %rd1, %data;\n";
  EXPECT_EQ(load_to_use(strided + "ld.global.u32 %r10, [%rd1];\n", machine()), kAddress + kL1 + 3);
}

TEST(LoadTiming, L2HitTakesTheCrossbarBothWays) {
  EXPECT_EQ(load_to_use("ld.global.cg.u32 %r10, [%rd1];\n", machine()), kAddress + kCrossbar + kL2);
}

TEST(LoadTiming, UncachedLoadTakesAsLongAsAMiss) {
  const std::string before = "ld.global.u32 %r10, [%rd1];\n";
  EXPECT_EQ(
      measure(before, machine(), "ld.global.cg.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 5;\n").cycles() -
          2,
      kAddress + kCrossbar + kL2);
  EXPECT_EQ(load_to_use(before, machine({"l1.present=no"})), kAddress + kCrossbar + kL2);
}

TEST(LoadTiming, FasterCrossbarShortensTransfers) {
  // 136 bytes at 64 bytes per core cycle: 2.125 cycles.
  EXPECT_EQ(
      load_to_use("ld.global.cg.u32 %r10, [%rd1];\n", machine({"clock.interconnect_mhz=2000"})),
      kAddress + kRequestPath + kL2 + 3 + kLink + 3);
  // At 16 bytes per core cycle: 8.5 cycles.
  EXPECT_EQ(
      load_to_use("ld.global.cg.u32 %r10, [%rd1];\n", machine({"clock.interconnect_mhz=500"})),
      kAddress + kRequestPath + kL2 + 9 + kLink + 9);
}

TEST(LoadTiming, FixedLatencyMemoryTakesItsLatency) {
  const Settings fixed{"dram.policy=fixed"};
  EXPECT_EQ(load_to_use("", machine(fixed)), kAddress + kCrossbar + kFixed + kOverhead + kPins);
  // The same without an L2, because a miss does not wait for the L2's data latency.
  EXPECT_EQ(load_to_use("", machine(fixed + Settings{"l2.present=no"})),
            kAddress + kCrossbar + kFixed + kOverhead + kPins);
}

TEST(LoadTiming, BankedMemoryDependsOnRowState) {
  for (const std::string policy :
       {"dram.policy=fcfs", "dram.policy=fcfs-per-bank", "dram.policy=fr-fcfs"}) {
    const Settings banked = machine({policy});
    const std::uint32_t row_hit = kAddress + kCrossbar + kTcl + kPins + kOverhead;
    EXPECT_EQ(load_to_use("", banked), row_hit + kTrcd) << policy << ", bank closed";
    EXPECT_EQ(load_to_use("ld.global.cg.u32 %r10, [%rd1+128];\n", banked), row_hit)
        << policy << ", row hit";
    // An address 8 rows of 4096 bytes away is in the same bank.
    EXPECT_EQ(load_to_use("ld.global.cg.u32 %r10, [%rd1+32768];\n", banked), row_hit + kTrp + kTrcd)
        << policy << ", row conflict";
  }
}

TEST(LoadTiming, RowStaysOpenForTras) {
  // A load of another row of the same bank issues one cycle before the measured load. Its row is
  // opened a cycle before the measured row is requested, and may be closed 100 cycles later.
  const ProbeRun run =
      measure("", machine({"dram.active=100"}),
              "ld.global.cg.u32 %r3, [%rd1+32768];\n" + kLoadAndUse + "add.u32 %r2, %r2, %r3;\n");
  const std::uint32_t opened = 1 + kAddress + kRequestPath;
  const std::uint32_t issued =
      opened + 100 + kTrp + kTrcd + kTcl + kPins + kOverhead + kResponsePath;
  // After the use, a second addition follows 8 cycles later, and then the clock read.
  EXPECT_EQ(run.cycles(), issued + 8 + 1);
}

TEST(LoadTiming, MemoryClockCrossingRoundsUpInBothDirections) {
  const auto ratio_up = [](std::uint64_t cycles, std::uint64_t times, std::uint64_t over) {
    return (cycles * times + over - 1) / over;
  };
  for (const std::uint64_t dram_mhz : {333UL, 924UL, 1000UL, 1400UL, 2222UL}) {
    for (int phase = 0; phase < 7; ++phase) {
      const ProbeRun run({.setup = kLine,
                          .body = repeat(phase, "mad.lo.u32 %r9, %r9, %lane, #;\n") + clock(0) +
                                  kLoadAndUse + clock(1),
                          .keep = {"%r2", "%r9"}},
                         machine({"clock.core_mhz=1400", "clock.interconnect_mhz=1400",
                                  "clock.dram_mhz=" + std::to_string(dram_mhz)}));
      const std::uint64_t asked = run.stamp(0) + 1 + kAddress + kRequestPath;
      const std::uint64_t dram_done =
          ratio_up(asked, dram_mhz, 1400) + kTrcd + kTcl + kPins + kOverhead;
      const std::uint64_t used = ratio_up(dram_done, 1400, dram_mhz) + kResponsePath;
      EXPECT_EQ(run.stamp(1), used + 1) << dram_mhz << " MHz, phase " << phase;
    }
  }
}

TEST(LoadTiming, ConstantsHitInTheConstantCache) {
  const std::string table = ".const .align 64 .u32 table[64] = {1, 2, 3, 4, 5, 6, 7, 8};\n";
  const auto cycles = [&](const std::string& address) {
    return ProbeRun(
               {.setup = "mov.u64 %rd3, table;\n" + address + "ld.const.u32 %r10, [%rd3];\n",
                .body = clock(0) + "ld.const.u32 %r1, [%rd3+4];\nadd.u32 %r2, %r1, 5;\n" + clock(1),
                .keep = {"%r2", "%r10"},
                .declarations = table},
               machine({"constant.latency=9"}))
               .cycles() -
           2;
  };
  const std::string lane = "and.b32 %r5, %lane, ";
  const std::string scaled = ";\nmul.wide.u32 %rd4, %r5, 4;\nadd.u64 %rd3, %rd3, %rd4;\n";
  // One word for all lanes takes one access; two and four words take one cycle each.
  EXPECT_EQ(cycles(lane + "1" + ";\nand.b32 %r5, %r5, 2" + scaled), 9);
  EXPECT_EQ(cycles(lane + "1" + scaled), 10);
  EXPECT_EQ(cycles(lane + "3" + scaled), 12);
}

TEST(LoadTiming, CountersMatchTheAccesses) {
  const ProbeRun run = measure("ld.global.u32 %r10, [%rd1];\n", machine());
  EXPECT_EQ(run.counter("l1.hits"), 1);
  EXPECT_EQ(run.counter("l1.misses"), 1);
  // The probe's two loads before a measurement bypass the L1; the second hits in the L2.
  EXPECT_EQ(run.counter("lsu.uncached_segments"), 2);
  EXPECT_EQ(run.counter("l2.reads"), 3);
  EXPECT_EQ(run.counter("dram.row_misses"), 2);
}

}  // namespace
}  // namespace heddle::gpu::test
