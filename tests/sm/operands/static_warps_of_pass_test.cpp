#include "sm/operands/static_warps_of_pass.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "exec/block/warp.h"
#include "sm/divergence/sub_warps.h"

namespace heddle::sm {
namespace {

/// Static warps (32 threads whose registers lie together) at an instruction. Some of the threads on
/// their paths execute it.
class StaticWarpsAtInstruction {
 public:
  explicit StaticWarpsAtInstruction(std::size_t count)
      : warps_(std::make_unique<exec::Warp[]>(count)) {
    for (std::size_t i = 0; i < count; ++i) static_warps.push_back({.warp = &warps_[i]});
  }
  /// Sets a static warp's threads on the path, and the threads that execute the instruction.
  void set(std::size_t index, HardwareWarpId hardware_warp, std::uint32_t path,
           std::uint32_t active) {
    static_warps[index].hardware_warp = hardware_warp;
    static_warps[index].path = LaneMask(path);
    static_warps[index].warp->context.active = active;
  }
  /// The static warps that `tested` finds for pass `number`.
  std::span<const StaticWarpLanes> find(StaticWarpsOfPass& tested, const Pass& pass,
                                        std::size_t number) const {
    return tested.find({{0, table_, table_[0]}, static_warps, pass, number});
  }
  std::vector<StaticWarp> static_warps;

 private:
  static IssueTable table_of_one() {
    code::Program program;
    program.instructions.resize(1);
    return IssueTable(program);
  }
  std::unique_ptr<exec::Warp[]> warps_;
  IssueTable table_ = table_of_one();
};

TEST(StaticWarpsOfPass, ReturnsSingleStaticWarpOfUnpackedPass) {
  StaticWarpsAtInstruction work(2);
  work.set(0, 7, 0xff, 0x0f);
  work.set(1, 9, 0xf0f0, 0xff00);
  StaticWarpsOfPass tested;
  const auto first =
      work.find(tested, {.lanes = LaneMask(0xff), .static_warp = work.static_warps.data()}, 0);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].hardware_warp, 7);
  EXPECT_EQ(first[0].path, LaneMask(0xff));
  EXPECT_EQ(first[0].active, LaneMask(0x0f));
  // A pass may have only some of a static warp's threads.
  const auto second =
      work.find(tested, {.lanes = LaneMask(0xf000), .static_warp = &work.static_warps[1]}, 1);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].hardware_warp, 9);
  EXPECT_EQ(second[0].path, LaneMask(0xf000));
  EXPECT_EQ(second[0].active, LaneMask(0xf000));
}

TEST(StaticWarpsOfPass, GathersAgainForEachInstruction) {
  StaticWarpsAtInstruction work(2);
  StaticWarpsOfPass tested;
  work.set(0, 0, 0b01, 0b01);
  work.set(1, 1, 0b11, 0b11);
  ASSERT_EQ(work.find(tested, {.lanes = LaneMask(0b11)}, 0).size(), 2U);
  ASSERT_EQ(work.find(tested, {.lanes = LaneMask(0b01)}, 1).size(), 1U);
  work.set(0, 4, 0b100, 0);
  work.set(1, 5, 0b011, 0b001);
  const auto static_warps = work.find(tested, {.lanes = LaneMask(0b111)}, 0);
  ASSERT_EQ(static_warps.size(), 2U);
  EXPECT_EQ(static_warps[0].hardware_warp, 4);
  EXPECT_EQ(static_warps[0].path, LaneMask(0b100));
  EXPECT_EQ(static_warps[0].active, LaneMask());
  EXPECT_EQ(static_warps[1].hardware_warp, 5);
  EXPECT_EQ(static_warps[1].path, LaneMask(0b011));
  EXPECT_EQ(static_warps[1].active, LaneMask(0b001));
}

TEST(StaticWarpsOfPass, MatchesPackingIntoSubWarps) {
  // The model has a queue of threads for each lane. Each pass takes one thread from each queue.
  struct Thread {
    HardwareWarpId hardware_warp;
    bool executes;
  };
  std::mt19937 random(29);
  const auto any_mask = [&] { return static_cast<std::uint32_t>(random()); };
  StaticWarpsOfPass tested;
  std::vector<Pass> sub_warps;
  for (int round = 0; round < 500; ++round) {
    const std::size_t count = 2 + random() % 7;
    StaticWarpsAtInstruction work(count);
    std::array<std::queue<Thread>, 32> lanes;
    for (std::size_t index = 0; index < count; ++index) {
      const std::uint32_t path = random() % 4 == 0 ? ~0U : any_mask() & any_mask();
      // Active bits of threads that are not on the path must not matter.
      const std::uint32_t active = random() % 2 == 0 ? ~0U : any_mask();
      const auto hardware_warp = static_cast<std::uint32_t>(10 * index + random() % 10);
      work.set(index, hardware_warp, path, active);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if ((path >> lane & 1) != 0) lanes[lane].push({hardware_warp, (active >> lane & 1) != 0});
      }
    }
    pack_sub_warps(work.static_warps, sub_warps);
    for (std::size_t i = 0; i < sub_warps.size(); ++i) {
      const auto static_warps = work.find(tested, sub_warps[i], i);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        std::vector<std::pair<std::uint32_t, bool>> found, expected;
        for (const StaticWarpLanes& each : static_warps) {
          const int at = static_cast<int>(lane);
          if (each.path.contains(at))
            found.emplace_back(each.hardware_warp, each.active.contains(at));
        }
        if (!lanes[lane].empty()) {
          const Thread thread = lanes[lane].front();
          lanes[lane].pop();
          expected.emplace_back(thread.hardware_warp, thread.executes);
        }
        ASSERT_EQ(found, expected) << "round " << round << ", pass " << i << ", lane " << lane;
      }
    }
    for (const auto& lane_queue : lanes) ASSERT_TRUE(lane_queue.empty());
  }
}

}  // namespace
}  // namespace heddle::sm
