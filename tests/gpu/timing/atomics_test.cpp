// Latency and throughput of atomics on global memory, and when stores and atomics become visible.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAddress = 2;
constexpr std::uint32_t kL2 = 100;
constexpr std::uint32_t kLink = 40;

Settings machine(const Settings& more = {}) {
  return Settings{"lsu.address_cycles=2",    "l1.latency=20",
                  "interconnect.latency=40", "interconnect.bytes_per_cycle=32",
                  "l2.latency=100",          "atomic.interval=1"} +
         more;
}

/// Cycles that `bytes` and a header of 8 bytes take on a port.
constexpr std::uint32_t port(std::uint32_t bytes) { return (bytes + 8 + 31) / 32; }

const std::string kOneAddress = "mov.u64 %rd1, %result;\n";
const std::string kOwnAddresses = "mul.wide.u32 %rd1, %lane, 4;\nadd.u64 %rd1, %rd1, %result;\n";
/// Loads the line into the L2 before the measurement.
const std::string kWarm =
    "mul.wide.u32 %rd9, %lane, 4;\nadd.u64 %rd9, %rd9, %result;\n"
    "ld.global.cg.u32 %r9, [%rd9];\n";

std::uint32_t atomic_to_use(const std::string& address, const std::string& atomic,
                            const Settings& more = {}) {
  return ProbeRun({.setup = address + kWarm,
                   .body = clock(0) + atomic + "add.u32 %r2, %r1, 5;\n" + clock(1),
                   .keep = {"%r2", "%r9"}},
                  machine(more))
             .cycles() -
         2;
}

/// Cycles from an atomic's issue to the use of its result: the path of the request with all lanes'
/// operands, the atomic unit, the L2, and the path of the response with all lanes' old values.
std::uint32_t expected(std::uint32_t unit_cycles, std::uint32_t bytes = 128) {
  return kAddress + 1 + port(bytes) + kLink + port(bytes) + unit_cycles + kL2 + port(bytes) +
         kLink + port(bytes);
}

const std::string kAdd = "atom.global.add.u32 %r1, [%rd1], 1;\n";

TEST(AtomicTiming, SerialisesLanesThatShareAnAddress) {
  for (const int interval : {1, 2, 10}) {
    EXPECT_EQ(atomic_to_use(kOneAddress, kAdd, {"atomic.interval=" + std::to_string(interval)}),
              expected(static_cast<std::uint32_t>(32 * interval)))
        << "interval " << interval;
  }
}

TEST(AtomicTiming, PerformsDistinctAddressesOfALineTogether) {
  EXPECT_EQ(atomic_to_use(kOwnAddresses, kAdd), expected(1));
  EXPECT_EQ(atomic_to_use(kOwnAddresses, kAdd, {"atomic.interval=10"}), expected(10));
  // Four lanes share each word.
  EXPECT_EQ(atomic_to_use("shr.u32 %r3, %lane, 2;\nmul.wide.u32 %rd1, %r3, 4;\n"
                          "add.u64 %rd1, %rd1, %result;\n",
                          kAdd),
            expected(4));
}

TEST(AtomicTiming, SingleLaneTransfersOneWord) {
  EXPECT_EQ(atomic_to_use(kOneAddress + "setp.eq.u32 %p1, %lane, 7;\n"
                                        "mad.lo.u32 %r1, %lane, 3, %thread;\n",
                          "@%p1 " + kAdd),
            expected(1, 4));
}

TEST(AtomicTiming, SecondAtomicStartsWhenTheUnitIsFree) {
  const auto cycles = [](const std::string& body) {
    return ProbeRun({.setup = kOneAddress + kWarm, .body = body, .keep = {"%r1", "%r2", "%r9"}},
                    machine({"atomic.interval=4"}))
        .cycles();
  };
  const std::string other = "atom.global.add.u32 %r3, [%rd1], 1;\n";
  const std::uint32_t one = cycles(clock(0) + kAdd + "add.u32 %r2, %r1, 5;\n" + clock(1));
  // Each atomic occupies the unit for 32 x 4 cycles, so the second result arrives 128 cycles later.
  EXPECT_EQ(cycles(clock(0) + other + kAdd + "add.u32 %r2, %r1, %r3;\n" + clock(1)), one + 128);
}

TEST(AtomicTiming, SumsAreExact) {
  ProbeRun run({.setup = kOneAddress,
                .body = clock(0) + repeat(5, "red.global.add.u32 [%rd1], 1;\n") + clock(1)},
               machine({"chip.sms=4", "memory.partitions=2"}), 4, 16);
  EXPECT_EQ(run.result(1)[0], 32 * 5 * 4 * 16);
  EXPECT_EQ(run.counter("lsu.atomics"), 5 * 4 * 16);
}

TEST(AtomicTiming, ReductionDoesNotBlockItsWarp) {
  const ProbeRun run({.setup = kOneAddress + kWarm,
                      .body = clock(0) + "red.global.add.u32 [%rd1], 1;\n" + clock(1),
                      .keep = {"%r9"}},
                     machine());
  EXPECT_EQ(run.cycles(), 2);
}

TEST(MemoryVisibility, ThreadSeesItsOwnReduction) {
  ProbeRun run(
      {.setup = kOwnAddresses + "mul.wide.u32 %rd2, %lane, 4;\n"
                                "add.u64 %rd2, %rd2, %result;\n",
       .body = clock(0) + "red.global.add.u32 [%rd1], 5;\n" + "ld.global.u32 %r1, [%rd1];\n" +
               "add.u32 %r2, %r1, 2;\n" + "st.global.u32 [%rd2+1024], %r2;\n" + clock(1)},
      machine());
  for (const std::uint32_t value : [&] {
         const std::vector<std::uint32_t> all = run.result(256 + 32);
         return std::vector<std::uint32_t>(all.begin() + 256, all.end());
       }()) {
    EXPECT_EQ(value, 7);
  }
}

TEST(MemoryVisibility, ThreadSeesItsOwnReductionInPartOfAWord) {
  ProbeRun run(
      {.setup = kOneAddress,
       .body = clock(0) + "red.global.or.b32 [%rd1], 0x11223344;\n" +
               "ld.global.u8 %r1, [%rd1+2];\n" + "st.global.u32 [%rd1+64], %r1;\n" + clock(1)},
      machine());
  EXPECT_EQ(run.result(17)[16], 0x22);
}

TEST(MemoryVisibility, StoreIsSeenByOtherMultiprocessorsAfterItsEpoch) {
  // Block 1 polls the word that block 0 sets after a while. Multiprocessors run independently for
  // one epoch at a time and see each other's stores afterwards.
  ProbeRun run(
      {.setup = kOneAddress + "setp.eq.u32 %p1, %block, 1;\n",
       .body = "@%p1 bra look;\n" + repeat(50, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") + clock(0) +
               "st.global.u32 [%rd1], 1;\n" + clock(1) + "bra.uni done;\nlook:\n" + clock(0) +
               "ld.volatile.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p2, %r2, 0;\n" +
               "@%p2 bra look;\n" + clock(1) + "done:\n",
       .keep = {"%r1"}},
      machine({"chip.sms=2", "dispatch.latency=40"}), 1, 2);
  // The successful poll is in a later epoch of 40 cycles than the store.
  EXPECT_GT((run.stamp(0, 0, 1) + 1) / kLink, (run.stamp(0, 0, 0) + 1) / kLink);
  EXPECT_LT(run.stamp(1, 0, 1), run.stamp(0, 0, 0) + 3 * 200);
}

TEST(MemoryVisibility, StoreIsSeenAtOnceInItsOwnMultiprocessor) {
  // The other warp loads after the barrier, in the same epoch.
  ProbeRun run({.setup = kOneAddress + "setp.eq.u32 %p1, %warp, 0;\n",
                .body = clock(0) + "@%p1 st.global.u32 [%rd1], 42;\nbar.sync 0;\n" +
                        "ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+64], %r1;\n" + clock(1)},
               machine({"barrier.latency=1"}), 2);
  EXPECT_EQ(run.result(17)[16], 42);
}

}  // namespace
}  // namespace heddle::gpu::test
