#include "locality/footprint.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace heddle::locality {
namespace {

TEST(Footprint, CountsDistinctLinesOfEachInterval) {
  Footprint footprint(4);
  EXPECT_TRUE(footprint.intervals().empty());
  for (const std::uint64_t line : {5, 5, 6, 5, 5, 7, 8, 9, 5}) footprint.access(line);
  const std::vector<Footprint::Interval> intervals = footprint.intervals();
  ASSERT_EQ(intervals.size(), 3U);
  EXPECT_EQ(intervals[0].accesses, 4U);
  EXPECT_EQ(intervals[0].lines, 2U);
  EXPECT_EQ(intervals[1].lines, 4U);
  EXPECT_EQ(intervals[2].accesses, 1U);
  EXPECT_EQ(intervals[2].lines, 1U);
}

TEST(Footprint, CountsManyLines) {
  Footprint footprint(5000);
  std::set<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    lines.insert(i * i % 3001);
    footprint.access(i * i % 3001);
  }
  EXPECT_EQ(footprint.intervals().front().lines, lines.size());
}

}  // namespace
}  // namespace heddle::locality
