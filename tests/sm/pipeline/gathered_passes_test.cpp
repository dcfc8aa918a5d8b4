#include "sm/pipeline/gathered_passes.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <queue>
#include <random>

#include "sm/divergence/sub_warps.h"

namespace heddle::sm {
namespace {

/// The rows of a large warp (a row: a static warp of 32 threads) after an access. Each row has its
/// own addresses.
class AccessingRows {
 public:
  explicit AccessingRows(std::size_t count)
      : warps_(std::make_unique<exec::Warp[]>(count)), accesses_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      warps_[i].context.accesses = &accesses_[i];
      rows.push_back({.warp = &warps_[i]});
    }
  }
  /// Sets a row's threads on the path, and the threads that make the access.
  void set(std::size_t row, HardwareWarpId hardware_warp, std::uint32_t path,
           std::uint32_t active) {
    rows[row].hardware_warp = hardware_warp;
    rows[row].path = LaneMask(path);
    rows[row].warp->context.path_active = path;
    rows[row].warp->context.active = active;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      accesses_[row].address[lane] = 1000 * (row + 1) + lane;
    }
  }
  std::vector<StaticWarp> rows;

 private:
  std::unique_ptr<exec::Warp[]> warps_;
  std::vector<exec::AccessScratch> accesses_;
};

TEST(GatheredPasses, HaveAddressAndHardwareWarpOfEachLane) {
  AccessingRows all(2);
  all.set(0, 7, 0x0000000f, 0x0000000f);
  all.set(1, 9, 0x000000f0, 0x000000f0);
  GatheredPasses passes;
  passes.gather(all.rows, 1);
  const MemoryPass pass = passes.pass(0, MemoryAction::store);
  EXPECT_EQ(pass.action, MemoryAction::store);
  EXPECT_EQ(pass.lanes, LaneMask(0xff));
  for (std::size_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ((*pass.addresses)[lane], (lane < 4 ? 1000 : 2000) + lane);
    EXPECT_EQ((*pass.hardware_warps)[lane], lane < 4 ? 7 : 9);
  }
  EXPECT_EQ(pass.atomic, kNoAtomic);
}

TEST(GatheredPasses, KeepPassOfInactiveThreadWithoutAccess) {
  AccessingRows all(2);
  all.set(0, 0, 0b01, 0);
  all.set(1, 1, 0b11, 0b11);
  GatheredPasses passes;
  passes.gather(all.rows, 2);
  EXPECT_EQ(passes.pass(0, MemoryAction::load).lanes, LaneMask(0b10));
  EXPECT_EQ(passes.pass(1, MemoryAction::load).lanes, LaneMask(0b01));
}

TEST(GatheredPasses, ForgetPreviousInstruction) {
  AccessingRows all(3);
  for (std::size_t row = 0; row < 3; ++row) all.set(row, 0, ~0U, ~0U);
  GatheredPasses passes;
  passes.gather(all.rows, 3);
  for (std::size_t row = 0; row < 3; ++row) all.set(row, 0, 0b1, 0);
  passes.gather(all.rows, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(passes.pass(i, MemoryAction::load).lanes.empty());
  }
}

TEST(GatheredPasses, MatchSubWarps) {
  // The model has a queue of threads for each column (a lane of all rows). Each pass takes one
  // thread from each queue.
  struct Thread {
    std::uint64_t address;
    HardwareWarpId hardware_warp;
    bool accesses;
  };
  std::mt19937 random(23);
  const auto any_mask = [&] { return static_cast<std::uint32_t>(random()); };
  GatheredPasses passes;
  std::vector<Pass> sub_warps;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = 1 + random() % 8;
    AccessingRows all(count);
    std::array<std::queue<Thread>, 32> columns;
    for (std::size_t row = 0; row < count; ++row) {
      const std::uint32_t path = random() % 4 == 0 ? ~0U : any_mask() & any_mask();
      const std::uint32_t active = path & (random() % 2 == 0 ? ~0U : any_mask());
      const auto hardware_warp = static_cast<std::uint32_t>(random() % 64);
      all.set(row, hardware_warp, path, active);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if ((path >> lane & 1) == 0) continue;
        columns[lane].push({1000 * (row + 1) + lane, hardware_warp, (active >> lane & 1) != 0});
      }
    }
    pack_sub_warps(all.rows, sub_warps);
    passes.gather(all.rows, sub_warps.size());
    for (std::size_t i = 0; i < sub_warps.size(); ++i) {
      const MemoryPass pass = passes.pass(i, MemoryAction::load);
      LaneMask on_path, accessing;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if (columns[lane].empty()) continue;
        const Thread thread = columns[lane].front();
        columns[lane].pop();
        on_path = on_path | LaneMask::of_lane(static_cast<int>(lane));
        if (!thread.accesses) continue;
        accessing = accessing | LaneMask::of_lane(static_cast<int>(lane));
        ASSERT_EQ((*pass.addresses)[lane], thread.address);
        ASSERT_EQ((*pass.hardware_warps)[lane], thread.hardware_warp);
      }
      ASSERT_EQ(sub_warps[i].lanes, on_path) << "round " << round << ", pass " << i;
      ASSERT_EQ(pass.lanes, accessing) << "round " << round << ", pass " << i;
    }
    for (const auto& column : columns) ASSERT_TRUE(column.empty()) << "no thread may be left over";
  }
}

}  // namespace
}  // namespace heddle::sm
