#include "sm/residency/resource_pool.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

const ResidencyDescription kMultiprocessor{.warps = 8,
                                           .blocks = 4,
                                           .registers = 8192,
                                           .register_unit = 256,
                                           .shared_bytes = 4096,
                                           .shared_unit = 128};
/// A warp needs 1120 registers and gets 1280, because of the allocation unit. A block needs 1000
/// bytes of shared memory and gets 1024.
const BlockNeeds kNeeds{.warps = 3, .registers_per_thread = 35, .shared_bytes = 1000};

TEST(ResourcePool, AllocatesBlockAsSumOfItsParts) {
  const ResourcePool pool(kMultiprocessor);
  const Allocation block = pool.block(kNeeds);
  EXPECT_EQ(block.blocks, 1U);
  EXPECT_EQ(block.warps, 3U);
  EXPECT_EQ(block.registers, 3 * 1280U);
  EXPECT_EQ(block.shared_bytes, 1024U);
  Allocation parts = pool.without_warps(kNeeds);
  parts += pool.warps(kNeeds, 3);
  EXPECT_EQ(parts.blocks, block.blocks);
  EXPECT_EQ(parts.warps, block.warps);
  EXPECT_EQ(parts.registers, block.registers);
  EXPECT_EQ(parts.shared_bytes, block.shared_bytes);
}

TEST(ResourcePool, LimitsWarpsBySlotsAndRegisters) {
  ResourcePool pool(kMultiprocessor);
  EXPECT_EQ(pool.count_fitting_warps(kNeeds), 6U) << "6 x 1280 of 8192 registers";
  EXPECT_EQ(pool.count_fitting_warps({.warps = 1, .registers_per_thread = 1}), 8U);
  pool.allocate(pool.block(kNeeds));
  EXPECT_EQ(pool.count_fitting_warps(kNeeds), 3U);
  EXPECT_EQ(pool.count_fitting_warps({.warps = 1}), 5U) << "only warp slots are needed";
}

TEST(ResourcePool, HasSpaceOfItsNewSize) {
  ResourcePool pool(kMultiprocessor);
  const Allocation block = pool.block(kNeeds);
  EXPECT_EQ(pool.occupancy(block).blocks, 2U) << "by warps and registers";
  pool.resize({.registers = 3 * 1280, .shared_bytes = 1024});
  EXPECT_EQ(pool.occupancy(block).blocks, 1U);
  EXPECT_TRUE(pool.has_space(block));
  pool.resize({.registers = 3 * 1280 - 1, .shared_bytes = 1024});
  EXPECT_FALSE(pool.has_space(block));
  pool.resize({.registers = 3 * 1280, .shared_bytes = 1023});
  EXPECT_FALSE(pool.has_space(block));
  pool.resize({.registers = 8192, .shared_bytes = 4096});
  pool.allocate(block);
  EXPECT_TRUE(pool.has_space(block));
}

TEST(ResourcePool, FindsReleaseThatMadeSpace) {
  ResourcePool pool(kMultiprocessor);
  pool.allocate(pool.block(kNeeds));
  pool.allocate(pool.block(kNeeds));
  ASSERT_FALSE(pool.has_space(pool.block(kNeeds)));
  pool.release(pool.warps(kNeeds, 1), Cycle(30));
  pool.release(pool.warps(kNeeds, 1), Cycle(10));
  ASSERT_FALSE(pool.has_space(pool.block(kNeeds)));
  pool.release(pool.warps(kNeeds, 1), Cycle(20));
  pool.release(pool.warps(kNeeds, 1), Cycle(40));
  EXPECT_EQ(pool.space_since(pool.block(kNeeds)), Cycle(30))
      << "the third of four releases, whatever their order";
  EXPECT_EQ(pool.space_since(pool.warps(kNeeds, 1)), Cycle(10));
  pool.allocate(pool.warps(kNeeds, 3));
  EXPECT_EQ(pool.space_since(pool.warps(kNeeds, 1)), Cycle(40))
      << "the space of the other releases is allocated";
  EXPECT_EQ(pool.space_since(pool.without_warps(kNeeds)), Cycle(0))
      << "there was space before all releases";
  pool.forget_releases();
  EXPECT_EQ(pool.space_since(pool.warps(kNeeds, 1)), Cycle(0));
}

}  // namespace
}  // namespace heddle::sm
