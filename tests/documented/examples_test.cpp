// Runs a kernel with the example policies of docs/adding-a-policy.md, which are compiled into this
// program.

#include <gtest/gtest.h>

#include <vector>

#include "gpu/chip_run.h"
#include "gpu/line_loads.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kWarps = 4;

/// One multiprocessor in which fetching instructions delays no warp.
const Settings kOneSm{"chip.sms=1",    "schedule.schedulers=1", "fetch.width=8",
                      "fetch.ports=8", "fetch.buffer=16",       "icache.bytes=0"};

/// What the kernel's threads recorded: the cycle in which the warp executed its second instruction,
/// and the sum that the thread computed.
struct Recorded {
  std::vector<std::uint32_t> clocks;
  std::vector<std::uint32_t> sums;
  std::uint64_t cycles = 0;
};
Recorded run(const Settings& settings) {
  ChipRun chip(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry note(.param .u64 clocks, .param .u64 sums)
{
  .reg .b32 %thread, %clock_read, %sum;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
  mov.u32 %clock_read, %clock;
  add.u32 %sum, %thread, 1;
  mul.lo.u32 %sum, %sum, %sum;
  add.u32 %sum, %sum, 7;
  mul.wide.u32 %offset, %thread, 4;
  ld.param.u64 %at, [clocks];
  add.u64 %at, %at, %offset;
  st.global.u32 [%at], %clock_read;
  ld.param.u64 %at, [sums];
  add.u64 %at, %at, %offset;
  st.global.u32 [%at], %sum;
  ret;
}
)",
               kOneSm + settings);
  const auto clocks = chip.zeros<std::uint32_t>(kWarps * 32);
  const auto sums = chip.zeros<std::uint32_t>(kWarps * 32);
  chip.launch("note", {1, 1, 1}, {kWarps * 32, 1, 1}, clocks, sums);
  return {.clocks = chip.download<std::uint32_t>(clocks, kWarps * 32),
          .sums = chip.download<std::uint32_t>(sums, kWarps * 32),
          .cycles = chip.cycles()};
}

void expect_right_sums(const Recorded& recorded) {
  for (std::uint32_t thread = 0; thread < kWarps * 32; ++thread) {
    ASSERT_EQ(recorded.sums[thread], (thread + 1) * (thread + 1) + 7) << thread;
  }
}

TEST(TheDocumentsScheduler, LetsTheYoungestWarpsComeFirst) {
  const Recorded youngest = run({"schedule.policy=youngest-first"});
  const Recorded oldest = run({"schedule.policy=greedy-oldest"});
  expect_right_sums(youngest);
  EXPECT_LT(youngest.clocks.back(), youngest.clocks.front());
  EXPECT_LT(oldest.clocks.front(), oldest.clocks.back());
}

TEST(TheDocumentsScheduler, CanBeTheInnerPolicyOfAnActiveSet) {
  const Recorded recorded = run({"schedule.policy=active-set", "schedule.inner=youngest-first"});
  expect_right_sums(recorded);
  EXPECT_LT(recorded.clocks.back(), recorded.clocks.front());
}

TEST(TheDocumentsOperandStore, TakesLongerTheFartherItIs) {
  const Recorded near = run({"operands.policy=distant", "operands.distance=1"});
  const Recorded far = run({"operands.policy=distant", "operands.distance=100"});
  expect_right_sums(near);
  expect_right_sums(far);
  // Three dependent instructions compute the sum, so the latency of operands counts three times.
  EXPECT_GE(far.cycles, near.cycles + 3 * 99);
  EXPECT_GT(near.cycles, run({"operands.policy=flat"}).cycles);
}

TEST(TheDocumentsReplacementPolicy, KeepsLineThatWasUsedRecently) {
  // When D is loaded, all four lines have a bit, so that only D's stays. E evicts A, and F evicts
  // C: B has been used again. F's bit is the fourth, so that only F's stays, and G evicts E. D
  // hits.
  const auto hits = [](const std::string& policy) {
    return count_of_loads("ABCDEBFGDE", {"l1.replacement.policy=" + policy}, "l1.hits");
  };
  EXPECT_EQ(hits("not-recently-used"), 2U);
  EXPECT_EQ(hits("lru"), 1U);
  EXPECT_EQ(hits("fifo"), 3U);
}

}  // namespace
}  // namespace heddle::gpu::test
