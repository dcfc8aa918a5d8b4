#include "locality/reuse_counts.h"

#include <gtest/gtest.h>

#include "locality/grain.h"

namespace heddle::locality {
namespace {

TEST(ReuseCounts, AddsUpWindowsThatContainTheReuse) {
  ReuseCounts counts;
  counts.add_accesses(10);
  const NeighbourhoodBits bytes(3);
  for (const std::uint64_t later : {1, 2, 3, 4, 5, 16384}) counts.add_reuse(bytes, later);
  EXPECT_EQ(counts.reused(bytes, WindowBits(0)), 1U);
  EXPECT_EQ(counts.reused(bytes, WindowBits(1)), 2U);
  EXPECT_EQ(counts.reused(bytes, WindowBits(2)), 4U);
  EXPECT_EQ(counts.reused(bytes, WindowBits(3)), 5U);
  EXPECT_EQ(counts.reused(bytes, WindowBits(13)), 5U);
  EXPECT_EQ(counts.reused(bytes, WindowBits(14)), 6U);
  EXPECT_EQ(counts.reused(NeighbourhoodBits(4), WindowBits(14)), 0U);
  EXPECT_DOUBLE_EQ(counts.probability(bytes, WindowBits(2)), 0.4);
  EXPECT_DOUBLE_EQ(ReuseCounts().probability(bytes, WindowBits(2)), 0);
}

TEST(ReuseCounts, AddsCountsOfOtherStreams) {
  ReuseCounts counts;
  counts.add_accesses(3);
  counts.add_reuse(NeighbourhoodBits(0), 1);
  ReuseCounts more;
  more.add_accesses(2);
  more.add_reuse(NeighbourhoodBits(0), 2);
  counts.add(more);
  EXPECT_EQ(counts.accesses(), 5U);
  EXPECT_EQ(counts.reused(NeighbourhoodBits(0), WindowBits(1)), 2U);
}

TEST(Grain, IsThatOfTheShapeThatServesMoreAccesses) {
  ReuseCounts counts;
  counts.add_accesses(10);
  EXPECT_EQ(grain_of(counts, kCoarseComparison), Grain::neither);
  counts.add_reuse(kCoarseComparison.large.block, 2);
  EXPECT_EQ(grain_of(counts, kCoarseComparison), Grain::coarse);
  counts.add_reuse(kCoarseComparison.small.block, 32);
  EXPECT_EQ(grain_of(counts, kCoarseComparison), Grain::neither);
  counts.add_reuse(kCoarseComparison.small.block, 1);
  EXPECT_EQ(grain_of(counts, kCoarseComparison), Grain::fine);
  // A reuse after more accesses than the window has does not count.
  counts.add_reuse(kCoarseComparison.large.block, 3);
  EXPECT_EQ(grain_of(counts, kCoarseComparison), Grain::fine);
}

TEST(Grain, ComparesEqualCapacities) {
  for (const EqualCapacities& each : {kCoarseComparison, kFineComparison}) {
    EXPECT_EQ(each.large.block.bytes() * each.large.blocks.accesses(),
              each.small.block.bytes() * each.small.blocks.accesses());
    EXPECT_GT(each.large.block.bytes(), each.small.block.bytes());
  }
}

}  // namespace
}  // namespace heddle::locality
