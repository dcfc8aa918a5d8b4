// Cycles of shared-memory accesses: bank conflicts, wide accesses, and atomics. A pass is what the
// banks serve in one cycle.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kLatency = 23;
const Settings kSettings{"scratchpad.latency=23"};
const std::string kArray = ".shared .align 16 .b8 array[16384];\n";

/// PTX that sets %r20 to the array's address plus `stride` bytes times the lane's number.
std::string address(std::uint32_t stride) {
  return "mov.u32 %r20, array;\nmad.lo.u32 %r20, %lane, " + std::to_string(stride) + ", %r20;\n";
}

/// Cycles from the issue of the first access to the use of the last access's result in %r1. The
/// accesses issue one per cycle.
std::uint32_t access_to_use(const std::string& setup, const std::string& accesses,
                            const Settings& more = {}) {
  const ProbeRun run({.setup = setup,
                      .body = clock(0) + accesses + "add.u32 %r50, %r1, 5;\n" + clock(1),
                      .keep = registers("%r", 10) + Settings{"%r50"},
                      .declarations = kArray},
                     kSettings + more);
  return run.cycles() - 2;
}

const std::string kLoad = "ld.shared.u32 %r1, [%r20];\n";

TEST(SharedMemoryTiming, NWayConflictTakesNPasses) {
  for (const std::string pipe : {"lsu.shared_pipe=no", "lsu.shared_pipe=yes"}) {
    for (const std::uint32_t ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
      // With a stride of n words and 32 banks, n lanes conflict in a bank.
      EXPECT_EQ(access_to_use(address(4 * ways), kLoad, {pipe}), kLatency + ways - 1)
          << ways << " ways, " << pipe;
    }
  }
}

TEST(SharedMemoryTiming, OddStridesDoNotConflict) {
  for (const std::uint32_t words : {3U, 5U, 17U, 33U}) {
    EXPECT_EQ(access_to_use(address(4 * words), kLoad), kLatency) << words << " words";
  }
}

TEST(SharedMemoryTiming, BroadcastTakesOnePass) {
  EXPECT_EQ(access_to_use(address(0), kLoad), kLatency);
}

TEST(SharedMemoryTiming, WideAccessesTakeAPassPer128Bytes) {
  EXPECT_EQ(access_to_use(address(8), "ld.shared.v2.u32 {%r1, %r2}, [%r20];\n"), kLatency + 1);
  EXPECT_EQ(access_to_use(address(16), "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r20];\n"),
            kLatency + 3);
  // In each half of the warp, pairs of lanes conflict.
  EXPECT_EQ(access_to_use(address(16), "ld.shared.v2.u32 {%r1, %r2}, [%r20];\n"), kLatency + 3);
  // In each quarter of the warp, pairs of lanes conflict.
  EXPECT_EQ(access_to_use(address(32), "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r20];\n"),
            kLatency + 7);
}

TEST(SharedMemoryTiming, NarrowPassesServeHalfAWarp) {
  EXPECT_EQ(access_to_use(address(4), kLoad, {"scratchpad.pass_bytes=64"}), kLatency + 1);
  // With 16 banks and a stride of 2 words, pairs of lanes of each half conflict.
  EXPECT_EQ(access_to_use(address(8), kLoad, {"scratchpad.pass_bytes=64", "scratchpad.banks=16"}),
            kLatency + 3);
}

TEST(SharedMemoryTiming, AccessesAreServedInOrder) {
  // The second load issues a cycle after the first and begins 8 cycles after it.
  EXPECT_EQ(access_to_use(address(32), "ld.shared.u32 %r2, [%r20+4];\n" + kLoad), 8 + kLatency + 7);
  // A store occupies the banks as well.
  EXPECT_EQ(access_to_use(address(32), "st.shared.u32 [%r20+4], %lane;\n" + kLoad),
            8 + kLatency + 7);
}

TEST(SharedMemoryTiming, AtomicsOnOneAddressAreSerialised) {
  const std::string add = "atom.shared.add.u32 %r1, [%r20], 1;\n";
  EXPECT_EQ(access_to_use(address(0), add), kLatency + 31);
  EXPECT_EQ(access_to_use(address(4), add), kLatency);
  EXPECT_EQ(access_to_use(address(8), add), kLatency + 1);
  // Groups of 8 lanes share an address.
  EXPECT_EQ(access_to_use("and.b32 %r21, %lane, 24;\nmov.u32 %r20, array;\n"
                          "add.u32 %r20, %r20, %r21;\n",
                          add),
            kLatency + 7);
}

TEST(SharedMemoryTiming, SharedPipeDelaysGlobalLoads) {
  const auto cycles = [](const std::string& pipe) {
    return ProbeRun({.setup = address(128) + "ld.global.u32 %r10, [%data];\n",
                     .body = clock(0) + "ld.shared.u32 %r2, [%r20];\n" +
                             "ld.global.u32 %r1, [%data+4];\nadd.u32 %r3, %r1, 5;\n" + clock(1),
                     .keep = {"%r2", "%r3", "%r10"},
                     .declarations = kArray},
                    kSettings + Settings{"l1.latency=20", "lsu.address_cycles=2", pipe})
        .cycles();
  };
  EXPECT_EQ(cycles("lsu.shared_pipe=no"), 2 + 2 + 20 + 1);
  EXPECT_EQ(cycles("lsu.shared_pipe=yes"), 1 + 32 + 20 + 1);
}

TEST(SharedMemoryTiming, FullQueueBlocksIssue) {
  // Each load occupies the banks for 32 cycles. If only one load may wait in the queue, the third
  // load issues when the second begins, 32 cycles after the first. The clock read issues a cycle
  // later, without waiting for data.
  const std::string loads =
      "ld.shared.u32 %r1, [%r20];\nld.shared.u32 %r2, [%r20+4];\n"
      "ld.shared.u32 %r3, [%r20+8];\n";
  const auto cycles = [&](const std::string& queue) {
    return ProbeRun({.setup = address(128),
                     .body = clock(0) + loads + clock(1),
                     .keep = registers("%r", 3, 1),
                     .declarations = kArray},
                    kSettings + Settings{queue})
        .cycles();
  };
  EXPECT_EQ(cycles("scratchpad.queue=8"), 4);
  EXPECT_EQ(cycles("scratchpad.queue=1"), 1 + 32 + 1);
}

TEST(SharedMemoryTiming, ConflictsAreCounted) {
  const ProbeRun run({.setup = address(32),
                      .body = clock(0) + kLoad + clock(1),
                      .keep = {"%r1"},
                      .declarations = kArray},
                     kSettings);
  EXPECT_EQ(run.counter("scratchpad.accesses"), 1);
  EXPECT_EQ(run.counter("scratchpad.passes"), 8);
  EXPECT_EQ(run.counter("scratchpad.conflict_cycles"), 7);
}

}  // namespace
}  // namespace heddle::gpu::test
