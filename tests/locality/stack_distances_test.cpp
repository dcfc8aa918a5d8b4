// Reuse distances, compared with a list of lines that is sorted by their last access.

#include "locality/stack_distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <vector>

namespace heddle::locality {
namespace {

/// The number of accesses by class, and that of first accesses at the end.
std::vector<std::uint64_t> classes_of(const DistanceCounts& counts) {
  std::vector<std::uint64_t> classes;
  for (std::size_t c = 0; c < DistanceCounts::kClasses; ++c) classes.push_back(counts.reuses(c));
  classes.push_back(counts.first_accesses());
  return classes;
}

/// Finds each line in a list of all lines, the last accessed first.
void search_list(const std::vector<std::uint64_t>& lines, DistanceCounts& counts) {
  std::list<std::uint64_t> recent;
  for (const std::uint64_t line : lines) {
    const auto found = std::find(recent.begin(), recent.end(), line);
    if (found == recent.end()) {
      counts.add_first_access();
    } else {
      counts.add_reuse(static_cast<std::uint32_t>(std::distance(recent.begin(), found)));
      recent.erase(found);
    }
    recent.push_front(line);
  }
}

std::vector<std::uint64_t> random_lines(std::size_t count, std::uint64_t range,
                                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> lines(count);
  for (std::uint64_t& line : lines) line = random() % range;
  return lines;
}

TEST(StackDistances, CountsWhatASortedListGives) {
  // Many lines and few; ranges around the first size of the axis; passes over all lines.
  std::vector<std::vector<std::uint64_t>> streams{
      random_lines(5000, 3, 1), random_lines(5000, 62, 2), random_lines(5000, 64, 3),
      random_lines(5000, 700, 4), random_lines(3000, 1 << 20, 5)};
  for (const std::uint64_t period : {1, 31, 32, 63, 64, 65, 500}) {
    std::vector<std::uint64_t>& passes = streams.emplace_back();
    for (std::uint64_t i = 0; i < 4 * period; ++i) passes.push_back(i % period);
  }
  StackDistances reused;
  for (const std::vector<std::uint64_t>& stream : streams) {
    DistanceCounts expected;
    search_list(stream, expected);
    DistanceCounts counts;
    StackDistances fresh;
    for (const std::uint64_t line : stream) fresh.access(line, counts);
    EXPECT_EQ(classes_of(counts), classes_of(expected)) << stream.size();
    DistanceCounts after_restart;
    reused.restart();
    for (const std::uint64_t line : stream) reused.access(line, after_restart);
    EXPECT_EQ(classes_of(after_restart), classes_of(expected)) << stream.size();
  }
}

TEST(DistanceCounts, DividesDistancesByPowersOfTwo) {
  DistanceCounts counts;
  for (const std::uint32_t distance : {0U, 1U, 2U, 3U, 4U, 7U, 8U}) counts.add_reuse(distance);
  EXPECT_EQ(counts.used_classes(), 5U);
  EXPECT_EQ(counts.reuses(0), 1U);
  EXPECT_EQ(counts.reuses(1), 1U);
  EXPECT_EQ(counts.reuses(2), 2U);
  EXPECT_EQ(counts.reuses(3), 2U);
  EXPECT_EQ(counts.reuses(4), 1U);
  EXPECT_EQ(DistanceCounts::smallest_distance(0), 0U);
  EXPECT_EQ(DistanceCounts::smallest_distance(1), 1U);
  EXPECT_EQ(DistanceCounts::smallest_distance(4), 8U);
}

}  // namespace
}  // namespace heddle::locality
