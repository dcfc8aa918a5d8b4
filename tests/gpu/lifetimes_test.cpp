// When warps come and go, and what those waste that wait for their block's others.

#include <gtest/gtest.h>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/warp_lifetimes.h"

namespace heddle::gpu::test {
namespace {

sm::WarpLifetime warp(std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
  return {.block = block, .begin = Cycle(begin), .end = Cycle(end)};
}

TEST(WarpLifetimes, WarpsThatEndTogetherWasteNothing) {
  EXPECT_EQ(temporal_underutilisation({warp(0, 10, 30), warp(0, 10, 30)}), 0.0);
  EXPECT_EQ(temporal_underutilisation({}), 0.0);
}

TEST(WarpLifetimes, TheWasteIsWhatIsLackingToTheLongest) {
  // (0 + 50 + 75 + 75) of 4 x 100.
  EXPECT_EQ(
      temporal_underutilisation({warp(0, 0, 100), warp(0, 0, 50), warp(0, 0, 25), warp(0, 0, 25)}),
      0.5);
  // Blocks count alike, however long they are.
  EXPECT_EQ(temporal_underutilisation({warp(0, 0, 100), warp(0, 0, 50), warp(1, 7, 9)}), 0.125);
}

TEST(WarpLifetimes, AreNotedForEveryWarpWhenAskedFor) {
  // The threads of warp 0 end at once, those of warp 1 after a hundred turns.
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
  const KernelRun& noted = run.last();
  ASSERT_EQ(noted.lifetimes.size(), 12U);
  Cycle last;
  for (const sm::WarpLifetime& lifetime : noted.lifetimes) {
    EXPECT_GE(lifetime.begin, noted.begin + Cycles(run.chip().machine().dispatch.latency));
    EXPECT_GT(lifetime.end, lifetime.begin);
    EXPECT_EQ(lifetime.sm, lifetime.block % 2);
    last = std::max(last, lifetime.end);
  }
  EXPECT_EQ(last, noted.begin + noted.cycles);
  EXPECT_GT(temporal_underutilisation(noted.lifetimes), 0.4);
  EXPECT_LT(temporal_underutilisation(noted.lifetimes), 0.5);
}

TEST(WarpLifetimes, AreNotKeptOtherwise) {
  ChipRun run(device::test::kernel_of("ret;"), machine_of({"chip.sms=2"}));
  const auto words = run.zeros<std::uint32_t>(64);
  run.launch("k", {6}, {64}, words);
  EXPECT_TRUE(run.last().lifetimes.empty());
}

}  // namespace
}  // namespace heddle::gpu::test
