#include "sm/residency/resident_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sm/launched_grid.h"

namespace heddle::sm {
namespace {

using testing::ElementsAre;

class ResidentBlocksTest : public testing::Test {
 protected:
  std::uint32_t start(const Grid& grid, std::uint64_t index, std::uint64_t at = 0) {
    const AdmittedBlock admitted{.grid = &grid, .index = index, .at = Cycle(at)};
    residents.admit_block(admitted, Cycle(at));
    residents.create_admitted_blocks();
    const std::uint32_t number = residents.starting().front().block_slot;
    residents.clear_starting();
    return number;
  }
  std::vector<WarpSlot> hardware_warps(std::uint32_t number) const {
    const ResidentBlock& resident = residents[number];
    return {resident.hardware_warps.begin(),
            resident.hardware_warps.begin() + resident.grid->needs.warps};
  }

  LaunchedGrid one{"ret;", 32}, three{"ret;", 96};
  exec::EpochStores stores;
  ResidentBlocks residents{{.warps = 8, .blocks = 4}, 2, 5, stores};
};

TEST_F(ResidentBlocksTest, GivesLowestFreeHardwareWarps) {
  EXPECT_EQ(start(three.grid, 0), 0u);
  EXPECT_EQ(start(one.grid, 1), 1u);
  EXPECT_THAT(hardware_warps(0), ElementsAre(0, 1, 2));
  EXPECT_THAT(hardware_warps(1), ElementsAre(3));
  for (const HardwareWarpId hardware_warp : {0u, 1u, 2u})
    residents.end_static_warp(hardware_warp, Cycle(10));
  EXPECT_EQ(start(one.grid, 2), 0u) << "the lowest free block slot";
  EXPECT_THAT(hardware_warps(0), ElementsAre(0));
  EXPECT_EQ(start(three.grid, 3), 2u);
  EXPECT_THAT(hardware_warps(2), ElementsAre(1, 2, 4));
  EXPECT_EQ(residents.hardware_warp(4).block_slot, 2u);
  EXPECT_EQ(residents.hardware_warp(4).warp, 2u);
}

TEST_F(ResidentBlocksTest, EndsBlockWithItsLastStaticWarp) {
  start(three.grid, 7);
  EXPECT_EQ(residents.end_static_warp(1, Cycle(50)), 0u);
  EXPECT_EQ(residents.end_static_warp(0, Cycle(90)), 0u);
  EXPECT_EQ(residents.blocks(), 1u);
  EXPECT_TRUE(residents.ended_blocks().empty());
  EXPECT_EQ(residents.end_static_warp(2, Cycle(70)), 0b111u) << "all hardware warps of the block";
  EXPECT_EQ(residents.blocks(), 0u);
  ASSERT_EQ(residents.ended_blocks().size(), 1u);
  EXPECT_EQ(residents.ended_blocks()[0].at, Cycle(90)) << "the latest end of its warps";
}

TEST_F(ResidentBlocksTest, ReportsCountsOfEndedBlock) {
  three.grid.number = 12;
  const std::uint32_t number = start(three.grid, 0);
  residents[number].instructions.warp_instructions = 30;
  residents[number].instructions.thread_instructions = 900;
  EXPECT_EQ(residents.instruction_counts().size(), 1u);
  for (const HardwareWarpId hardware_warp : {0u, 1u, 2u})
    residents.end_static_warp(hardware_warp, Cycle(10));
  EXPECT_TRUE(residents.instruction_counts().empty());
  const EndedBlock& ended = residents.ended_blocks().at(0);
  EXPECT_EQ(ended.grid, 12u);
  EXPECT_EQ(ended.warp_instructions, 30u);
  EXPECT_EQ(ended.thread_instructions, 900u);
  start(three.grid, 1);
  EXPECT_EQ(residents[0].instructions.warp_instructions, 0u);
}

TEST_F(ResidentBlocksTest, NotifiesObserverOfEndsOfStaticWarps) {
  struct Observer final : StaticWarpObserver {
    void ended(HardwareWarpId hardware_warp, Cycle at) override {
      ends.emplace_back(hardware_warp, at.number);
    }
    std::vector<std::pair<HardwareWarpId, std::uint64_t>> ends;
  } observer;
  ResidentBlocks observed{{.warps = 8, .blocks = 4}, 2, 5, stores, &observer};
  observed.admit_block({.grid = &three.grid, .index = 0, .at = Cycle(0)}, Cycle(0));
  observed.create_admitted_blocks();
  observed.end_static_warp(1, Cycle(20));
  EXPECT_THAT(observer.ends, ElementsAre(testing::Pair(1u, 20u)));
  observed.end_static_warp(0, Cycle(30));
  observed.end_static_warp(2, Cycle(31));
  EXPECT_THAT(observer.ends,
              ElementsAre(testing::Pair(1u, 20u), testing::Pair(0u, 30u), testing::Pair(2u, 31u)));
}

TEST_F(ResidentBlocksTest, RecordsWarpLifetimesOnRequest) {
  start(one.grid, 0);
  residents.end_static_warp(0, Cycle(5));
  EXPECT_TRUE(residents.ended_warps().empty());

  residents.note_lifetimes();
  three.grid.number = 4;
  start(three.grid, 19, 10);
  residents.start_static_warp(0, Cycle(110));
  residents.start_static_warp(1, Cycle(111));
  residents.end_static_warp(1, Cycle(200));
  ASSERT_EQ(residents.ended_warps().size(), 1u);
  const EndedWarp& ended = residents.ended_warps()[0];
  EXPECT_EQ(ended.block, 19u);
  EXPECT_EQ(ended.warp, 1u);
  EXPECT_EQ(ended.sm, 2u);
  EXPECT_EQ(ended.grid, 4u);
  EXPECT_EQ(ended.begin, Cycle(111));
  EXPECT_EQ(ended.end, Cycle(200));
}

TEST_F(ResidentBlocksTest, HoldsSlotOfBlockBeforeItIsCreated) {
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(residents.fits(one.grid));
    residents.admit_block({.grid = &one.grid, .index = i, .at = Cycle(100)}, Cycle(0));
  }
  EXPECT_FALSE(residents.fits(one.grid)) << "there are four block slots";
  EXPECT_EQ(residents.blocks(), 4u);
  EXPECT_EQ(residents.admitted().size(), 4u);
  EXPECT_TRUE(residents.instruction_counts().empty()) << "no block has been created";
}

TEST_F(ResidentBlocksTest, ReusesBlockObjectForSameLaunch) {
  start(one.grid, 0);
  const exec::Block* const block = residents[0].block.get();
  residents.end_static_warp(0, Cycle(1));
  start(one.grid, 5);
  EXPECT_EQ(residents[0].block.get(), block);
  EXPECT_EQ(block->index(), 5u);
  residents.end_static_warp(0, Cycle(2));
  start(three.grid, 0);
  EXPECT_EQ(&residents[0].block->launch(), three.grid.launch);
}

TEST_F(ResidentBlocksTest, ProfilesInstructionsOfLaunchWithProfile) {
  EXPECT_EQ(residents[start(one.grid, 0)].profile, nullptr);
  exec::ExecutionProfile whole(three.grid.table.size());
  three.prepared.launch.profile = &whole;
  exec::ExecutionProfile* const part = residents[start(three.grid, 0)].profile;
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(residents[start(three.grid, 1)].profile, part) << "all blocks of a launch share it";
  part->add_stretch(0, 1, 32);
  EXPECT_EQ(whole.counts()[0].warps, 0u);
  residents.add_profile(three.grid);
  residents.add_profile(three.grid);
  EXPECT_EQ(whole.counts()[0].warps, 1u) << "the profile is added once";
}

}  // namespace
}  // namespace heddle::sm
