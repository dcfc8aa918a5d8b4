// Blocks that are split into blocks of one warp (dispatch.small_blocks).

#include "gpu/small_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/turning_kernel.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;

const Settings kSmallBlocks{"chip.sms=2", "sm.blocks=8", "dispatch.small_blocks=yes"};

/// Each thread stores one number that contains its index in the block, its block's index, the
/// number of blocks, the number of warps per block, and its warp's index.
const std::string kIdentityKernel = kernel_of(R"(
  mov.u32 %r5, %tid.x;
  mov.u32 %r6, %tid.y;
  mov.u32 %r7, %ntid.x;
  mov.u32 %r8, %ctaid.x;
  mov.u32 %r9, %nctaid.x;
  mov.u32 %r10, %warpid;
  mov.u32 %r11, %nwarpid;
  mad.lo.u32 %r5, %r6, %r7, %r5;
  mad.lo.u32 %r12, %r8, 72, %r5;
  mul.wide.u32 %rd3, %r12, 4;
  add.s64 %rd4, %rd1, %rd3;
  mad.lo.u32 %r5, %r8, 1000, %r5;
  mad.lo.u32 %r5, %r9, 100000, %r5;
  mad.lo.u32 %r5, %r11, 1000000, %r5;
  mad.lo.u32 %r5, %r10, 10000000, %r5;
  st.global.u32 [%rd4], %r5;
  ret;)");

std::vector<std::uint32_t> thread_identities(const Settings& settings) {
  ChipRun run(kIdentityKernel, settings);
  const auto words = run.zeros<std::uint32_t>(5 * 72);
  run.launch("k", {5}, {9, 8}, words);
  return run.download<std::uint32_t>(words, 5 * 72);
}

TEST(SmallBlocks, KeepThreadIndicesOfWholeBlocks) {
  // 72 threads are two warps and a quarter of one.
  std::vector<std::uint32_t> expected;
  for (std::uint32_t block = 0; block < 5; ++block) {
    for (std::uint32_t thread = 0; thread < 72; ++thread) {
      expected.push_back(thread + 1000 * block + 500000 + 3000000 + thread / 32 * 10000000);
    }
  }
  EXPECT_EQ(thread_identities({"chip.sms=2"}), expected);
  EXPECT_EQ(thread_identities(kSmallBlocks), expected);
}

/// Runs two blocks of four warps; returns the lifetimes of warps, ordered by the program's block
/// and warp.
std::vector<sm::WarpLifetime> lifetimes(const std::string& ptx, const Settings& settings) {
  ChipRun run(ptx, machine_of(settings), {.note_lifetimes = true});
  run.launch("k", {2}, {128}, run.zeros<std::uint32_t>(256));
  std::vector<sm::WarpLifetime> found = run.last_launch().lifetimes;
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.block, a.warp) < std::pair(b.block, b.warp);
  });
  return found;
}

const std::string kTurns = "mad.lo.u32 %r7, %r6, 50, 10;";

TEST(SmallBlocks, SpreadWarpsOfABlockOverMultiprocessors) {
  const std::vector<sm::WarpLifetime> found = lifetimes(turning_kernel(kTurns), kSmallBlocks);
  ASSERT_EQ(found.size(), 8U);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(found[i].block, i / 4);
    EXPECT_EQ(found[i].warp, i % 4);
    EXPECT_EQ(found[i].sm, i % 2) << "small blocks go to the multiprocessors in turn";
  }
}

TEST(SmallBlocks, FreeAPlaceWhenItsWarpEnds) {
  // There is one block slot on one multiprocessor, so warps run one after another.
  const std::vector<sm::WarpLifetime> found =
      lifetimes(turning_kernel(kTurns), kSmallBlocks + Settings{"chip.sms=1", "sm.blocks=1"});
  ASSERT_EQ(found.size(), 8U);
  for (std::uint32_t i = 1; i < 8; ++i) EXPECT_GT(found[i].begin, found[i - 1].end);
}

TEST(SmallBlocks, KeepBlocksWithBarrierOrSharedMemoryWhole) {
  const std::string barrier = turning_kernel(kTurns + "bar.sync 0;");
  const std::string shared =
      turning_kernel(".shared .b32 word;\nst.shared.u32 [word], %r4;" + kTurns);
  for (const std::string& ptx : {barrier, shared}) {
    for (const sm::WarpLifetime& warp : lifetimes(ptx, kSmallBlocks)) {
      EXPECT_EQ(warp.sm, warp.block);
    }
  }
}

TEST(SmallBlocks, ReportOccupancyOfSmallBlocks) {
  ChipRun run(turning_kernel(kTurns), kSmallBlocks);
  run.launch("k", {2}, {128}, run.zeros<std::uint32_t>(256));
  EXPECT_EQ(run.last_launch().warps_per_block, 1U);
  EXPECT_EQ(run.last_launch().blocks_done, 8U);
  EXPECT_EQ(run.last_launch().occupancy.blocks, 8U);
}

TEST(SmallBlocks, FaultNamesTheOriginalBlockAndThread) {
  ChipRun run(kernel_of(R"(
  setp.ne.u32 %p1, %r4, 70;
  @%p1 exit;
  mov.u64 %rd5, 64;
  st.global.u32 [%rd5], %r4;
  ret;)"),
              kSmallBlocks);
  const auto words = run.zeros<std::uint32_t>(256);
  try {
    run.launch("k", {2}, {128}, words);
    FAIL() << "expected a fault, but the kernel completed";
  } catch (const std::exception& fault) {
    EXPECT_NE(std::string(fault.what()).find("block (0,0,0), thread (70,0,0) (warp 2, lane 6)"),
              std::string::npos)
        << fault.what();
  }
}

}  // namespace
}  // namespace heddle::gpu::test
