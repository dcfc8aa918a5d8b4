// When warps start and end, and the resources that stay allocated to ended warps while the rest of
// their block runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {
namespace {

/// The resource underutilisation of each block (Xiang et al., Warp-Level Divergence in GPUs,
/// section 3.2), summed over blocks.
double underutilisation_of(const std::vector<sm::WarpLifetime>& warps) {
  std::map<std::uint64_t, std::vector<double>> blocks;
  for (const sm::WarpLifetime& warp : warps) {
    blocks[warp.block].push_back(static_cast<double>((warp.end - warp.begin).count));
  }
  double sum = 0;
  for (const auto& [number, lifetimes] : blocks) {
    const double longest = *std::max_element(lifetimes.begin(), lifetimes.end());
    double wasted = 0;
    for (const double lifetime : lifetimes) wasted += longest - lifetime;
    sum += wasted / (longest * static_cast<double>(lifetimes.size()));
  }
  return sum;
}

TEST(WarpLifetimes, AreRecordedForEveryWarpOnRequest) {
  // Warp 0 ends at once, warp 1 after a hundred iterations.
  const std::string body = R"(
  setp.lt.u32 %p1, %r4, 32;
  @%p1 exit;
  mov.u32 %r10, 0;
TURN:
  ld.volatile.global.u32 %r5, [%rd1];
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p2, %r10, 100;
  @%p2 bra TURN;
  ret;)";
  ChipRun run(device::test::kernel_of(body), machine_of({"chip.sms=2"}), {.note_lifetimes = true});
  const auto words = run.zeros<std::uint32_t>(64);
  run.launch("k", {6}, {64}, words);
  const KernelRun& recorded = run.last_launch();
  ASSERT_EQ(recorded.lifetimes.size(), 12U);
  Cycle last_end;
  for (const sm::WarpLifetime& lifetime : recorded.lifetimes) {
    EXPECT_GE(lifetime.begin, recorded.begin + Cycles(run.chip().machine().dispatch.latency));
    EXPECT_GT(lifetime.end, lifetime.begin);
    EXPECT_EQ(lifetime.sm, lifetime.block % 2);
    last_end = std::max(last_end, lifetime.end);
  }
  EXPECT_EQ(last_end, recorded.begin + recorded.cycles);
  EXPECT_EQ(run.counter("sm.ended_blocks"), 6U);
  const double underutilised = underutilisation_of(recorded.lifetimes);
  EXPECT_GT(underutilised, 6 * 0.4);
  EXPECT_LT(underutilised, 6 * 0.5);
  EXPECT_NEAR(static_cast<double>(run.counter("sm.underutilisation")), 1e6 * underutilised, 6);
}

TEST(WarpLifetimes, AreNotRecordedByDefault) {
  ChipRun run(device::test::kernel_of("ret;"), machine_of({"chip.sms=2"}));
  const auto words = run.zeros<std::uint32_t>(64);
  run.launch("k", {6}, {64}, words);
  EXPECT_TRUE(run.last_launch().lifetimes.empty());
}

}  // namespace
}  // namespace heddle::gpu::test
