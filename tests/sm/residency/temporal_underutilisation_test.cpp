// Temporal underutilisation: the share of a block's warp time in which ended warps still occupy
// resources, because their block has not ended. Counters allow means over blocks.

#include <gtest/gtest.h>

#include <cmath>

#include "sm/residency/resident_blocks.h"

namespace heddle::sm {
namespace {

/// A share as the counters for geometric means add it up: in 1/1024 of a factor of two below 1.
double octaves(double share) { return -1024 * std::log2(share); }

TEST(Underutilisation, IsZeroIfWarpsEndTogether) {
  UnderutilisationCounters counters;
  counters.count(2, 40, 20);
  EXPECT_EQ(counters.blocks, 1U);
  EXPECT_EQ(counters.millionths, 0U);
}

TEST(Underutilisation, IsShareOfIdleTimeUntilLongestWarpEnds) {
  UnderutilisationCounters counters;
  counters.count(4, 100 + 50 + 25 + 25, 100);  // Wasted: 0 + 50 + 75 + 75 of 4 x 100 cycles.
  EXPECT_EQ(counters.millionths, 500000U);
  EXPECT_EQ(counters.octaves, 1024U);
  counters.count(2, 150, 100);  // Blocks count equally, however long they are.
  counters.count(1, 7, 7);
  EXPECT_EQ(counters.millionths, 750000U);
  EXPECT_EQ(counters.blocks, 3U);
}

TEST(Underutilisation, IsZeroIfBlockEndsAtOnce) {
  UnderutilisationCounters counters;
  counters.count(3, 0, 0);
  EXPECT_EQ(counters.millionths, 0U);
}

TEST(Underutilisation, IsAtLeastATenthOfAPercentInGeometricMean) {
  UnderutilisationCounters counters;
  counters.count(2, 40, 20);
  EXPECT_NEAR(static_cast<double>(counters.octaves), octaves(0.001), 1);
}

TEST(Underutilisation, HasLogarithmsToAThousandth) {
  for (std::uint64_t wasted = 1000; wasted < 1000000; wasted += 997) {
    UnderutilisationCounters counters;
    counters.count(1, 1000000 - wasted, 1000000);
    ASSERT_EQ(counters.millionths, wasted);
    ASSERT_NEAR(static_cast<double>(counters.octaves), octaves(1e-6 * static_cast<double>(wasted)),
                1.01)
        << wasted;
  }
}

}  // namespace
}  // namespace heddle::sm
