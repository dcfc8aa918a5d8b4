// Barriers of a block: which warps are released, and when.

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// A probe for three warps: clock 0 is read before a barrier, clock 1 after it. Warps 1 and 2
/// arrive later than warp 0, because they execute 50 and 150 more instructions before the barrier.
Probe staggered(const std::string& barrier, const std::string& declarations = "") {
  return {.setup = "setp.eq.u32 %p1, %warp, 1;\nsetp.eq.u32 %p2, %warp, 2;\n",
          .body =
              "bar.sync 0;\n@%p1 bra one;\n@%p2 bra two;\nbra all;\n"
              "two:\n" +
              repeat(100, "mad.lo.u32 %r1, %lane, %lane, %r1;\n") + "one:\n" +
              repeat(50, "mad.lo.u32 %r1, %r1, %lane, %lane;\n") + "all:\n" + clock(0) + barrier +
              clock(1),
          .keep = {"%r1"},
          .declarations = declarations};
}

TEST(BarrierTiming, ReleasesAllWarpsALatencyAfterTheLastArrival) {
  for (const int latency : {1, 4, 18, 100}) {
    const ProbeRun run(staggered("bar.sync 0;\n"), {"barrier.latency=" + std::to_string(latency)},
                       3);
    std::uint32_t last = 0;
    for (std::uint32_t warp = 0; warp < 3; ++warp) last = std::max(last, run.stamp(0, warp));
    // The last warp reaches the barrier a cycle after it reads the clock. The three released warps
    // issue in successive cycles.
    EXPECT_GT(last, run.stamp(0, 0) + 100);
    std::vector<std::uint32_t> released;
    for (std::uint32_t warp = 0; warp < 3; ++warp) released.push_back(run.stamp(1, warp));
    std::sort(released.begin(), released.end());
    const std::uint32_t first = last + 1 + static_cast<std::uint32_t>(latency);
    EXPECT_EQ(released, (std::vector<std::uint32_t>{first, first + 1, first + 2}))
        << "latency " << latency;
  }
}

TEST(BarrierTiming, SingleWarpWaitsForTheLatency) {
  for (const int latency : {1, 4, 18}) {
    const ProbeRun run({.body = clock(0) + "bar.sync 0;\n" + clock(1)},
                       {"barrier.latency=" + std::to_string(latency)});
    EXPECT_EQ(run.cycles(), 1 + latency);
  }
}

TEST(BarrierTiming, ArrivingWarpDoesNotWaitForTheOthers) {
  // Warp 0 arrives and continues after the barrier's latency. Warp 1 arrives last.
  const ProbeRun run(
      {.setup = "setp.eq.u32 %p1, %warp, 1;\n",
       .body = "bar.sync 0;\n@%p1 bra waits;\n" + clock(0) + "bar.arrive 1, 64;\n" + clock(1) +
               "bra done;\nwaits:\n" + repeat(50, "mad.lo.u32 %r1, %r1, %lane, %lane;\n") +
               clock(0) + "bar.sync 1, 64;\n" + clock(1) + "done:\n",
       .keep = {"%r1"}},
      {"barrier.latency=9"}, 2);
  EXPECT_EQ(run.cycles(0, 0), 1 + 9);
  EXPECT_EQ(run.cycles(0, 1), 1 + 9);
  EXPECT_GT(run.stamp(0, 1), run.stamp(1, 0));
}

TEST(BarrierTiming, EndingWarpReleasesWaitingOnes) {
  ProbeRun run({.setup = "setp.eq.u32 %p1, %warp, 1;\n",
                .body = "bar.sync 0;\n@%p1 bra last;\n" + clock(0) + "bar.sync 0;\n" + clock(1) +
                        "bra done;\nlast:\n" + repeat(50, "mad.lo.u32 %r1, %r1, %lane, %lane;\n") +
                        "st.global.u32 [%result], %r1;\n" + clock(2) +
                        "st.global.u32 [%result+4], %c2;\nexit;\ndone:\n"},
               {"barrier.latency=9"}, 2);
  // The store of the clock waits 8 cycles for its value; then the warp ends.
  EXPECT_EQ(run.stamp(1, 0), run.result(2)[1] + 8 + 1 + 9);
}

TEST(BarrierTiming, CountsWaitingWarpsAsAtBarrier) {
  const ProbeRun run(staggered("bar.sync 0;\n"), {}, 3);
  EXPECT_GT(run.counter("warp.barrier"), 150);
}

}  // namespace
}  // namespace heddle::gpu::test
