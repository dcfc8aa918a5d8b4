// Latencies of private memory: the part of each thread's local memory that lies in the scratchpad,
// where each lane has its own bank.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kLatency = 23;
constexpr std::uint32_t kPrivateBytes = 64;
const Settings kSettings{"scratchpad.latency=23",
                         "local.private_bytes=" + std::to_string(kPrivateBytes)};
const std::string kFrame = ".local .align 16 .b8 frame[256];\n";

/// PTX that sets %rd1 to an address in each thread's frame: offset `first` plus `bytes_per_lane`
/// times the lane's number modulo `lanes`.
std::string frame_address(std::uint32_t first, std::uint32_t bytes_per_lane = 0,
                          std::uint32_t lanes = 32) {
  return "mov.u64 %rd1, frame;\nrem.u32 %r20, %lane, " + std::to_string(lanes) +
         ";\nmad.lo.u32 %r20, %r20, " + std::to_string(bytes_per_lane) + ", " +
         std::to_string(first) + ";\ncvt.u64.u32 %rd2, %r20;\nadd.u64 %rd1, %rd1, %rd2;\n";
}

ProbeRun measure(const std::string& setup, const std::string& load, const Settings& more = {}) {
  return ProbeRun({.setup = setup + "st.local.u8 [%rd1], %lane;\n",
                   .body = clock(0) + load + "add.u32 %r50, %r1, 5;\n" + clock(1),
                   .keep = registers("%r", 10) + Settings{"%r50"},
                   .locals = kFrame},
                  kSettings + more);
}

/// Cycles from the issue of a load to the issue of its use.
std::uint32_t load_to_use(const std::string& setup, const std::string& load,
                          const Settings& more = {}) {
  return measure(setup, load, more).cycles() - 2;
}

const std::string kLoad = "ld.local.u32 %r1, [%rd1];\n";

TEST(PrivateMemoryTiming, EachLaneHasItsOwnBank) {
  EXPECT_EQ(load_to_use(frame_address(0), kLoad), kLatency) << "all lanes access the same variable";
  EXPECT_EQ(load_to_use(frame_address(0, 4, 16), kLoad), kLatency)
      << "lanes access different elements of their arrays";
  EXPECT_EQ(load_to_use(frame_address(0, 1, 61), "ld.local.u8 %r1, [%rd1];\n"), kLatency)
      << "bytes";
}

TEST(PrivateMemoryTiming, WideElementsTakeAPassPerWord) {
  EXPECT_EQ(load_to_use(frame_address(0, 8, 8), "ld.local.v2.u32 {%r1, %r2}, [%rd1];\n"),
            kLatency + 1);
  EXPECT_EQ(load_to_use(frame_address(0, 16, 4), "ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n"),
            kLatency + 3);
}

TEST(PrivateMemoryTiming, SharesBanksWithSharedMemory) {
  const ProbeRun run(
      {.setup = frame_address(0) + "mov.u32 %r21, array;\nmad.lo.u32 %r21, %lane, 32, %r21;\n",
       .body =
           clock(0) + "ld.shared.u32 %r2, [%r21];\n" + kLoad + "add.u32 %r50, %r1, 5;\n" + clock(1),
       .keep = {"%r1", "%r2", "%r50"},
       .declarations = ".shared .align 16 .b8 array[1024];\n",
       .locals = kFrame},
      kSettings);
  // Eight lanes of the first load conflict in a bank; the second load issues a cycle later.
  EXPECT_EQ(run.cycles() - 2, 8 + kLatency);
}

TEST(PrivateMemoryTiming, LocalMemoryPastItUsesTheCache) {
  const auto segments = [](std::uint32_t offset, const Settings& more = {}) {
    return measure(frame_address(offset), kLoad, more).counter("lsu.load_segments");
  };
  const std::uint64_t cached = segments(kPrivateBytes);
  EXPECT_EQ(segments(kPrivateBytes - 4), cached - 1);
  EXPECT_EQ(segments(0, {"local.private_bytes=0"}), cached);
  const ProbeRun inside = measure(frame_address(kPrivateBytes - 4), kLoad);
  EXPECT_EQ(inside.counter("scratchpad.accesses"), 2u) << "a store and a load";
  EXPECT_EQ(inside.counter("lsu.local_loads"), 1u);
  EXPECT_EQ(inside.counter("lsu.local_stores"), 1u);
  EXPECT_EQ(measure(frame_address(kPrivateBytes), kLoad).counter("scratchpad.accesses"), 0u);
}

TEST(PrivateMemoryTiming, MixedAccessCompletesWithItsSlowerPart) {
  // The upper half of the warp accesses local memory that does not lie in the scratchpad.
  const std::string halves =
      "mov.u64 %rd1, frame;\nand.b32 %r20, %lane, 16;\nmul.wide.u32 %rd2, %r20, 4;\n"
      "add.u64 %rd1, %rd1, %rd2;\nsetp.ne.u32 %p1, %r20, 0;\nmov.u32 %r1, 0;\n";
  const std::uint32_t outside = load_to_use(halves, "@%p1 " + kLoad);
  EXPECT_EQ(load_to_use(halves, "@!%p1 " + kLoad), kLatency);
  ASSERT_GT(outside, kLatency);
  EXPECT_EQ(load_to_use(halves, kLoad), outside);
  EXPECT_EQ(measure(halves, kLoad).counter("scratchpad.accesses"), 2u) << "a store and a load";
}

TEST(PrivateMemoryTiming, OccupiesTheScratchpad) {
  const auto blocks = [](const std::string& shared_bytes) {
    const ProbeRun run({.setup = frame_address(0), .body = clock(0) + clock(1), .locals = kFrame},
                       kSettings + Settings{"sm.warps=32", "sm.blocks=32", "sm.shared_unit=1",
                                            "sm.shared_bytes=" + shared_bytes},
                       8);
    return run.chip().last_launch().occupancy.blocks;
  };
  // Eight warps with 64 private bytes per thread: 16 KB.
  EXPECT_EQ(blocks("49152"), 3u);
  EXPECT_EQ(blocks("49151"), 2u);
}

}  // namespace
}  // namespace heddle::gpu::test
