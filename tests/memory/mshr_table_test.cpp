#include "memory/mshr_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "base/error.h"

namespace heddle::memory {
namespace {

using Outcome = MshrTable::Outcome;
using ::testing::ElementsAre;

std::vector<std::uint32_t> release(MshrTable& table, std::uint64_t line) {
  std::vector<std::uint32_t> tokens;
  table.release(line, [&](std::uint32_t token) { tokens.push_back(token); });
  return tokens;
}

TEST(MshrTable, AllocatesForFirstRequestAndMergesLaterOnes) {
  MshrTable table({.entries = 2, .merges = 3});
  EXPECT_EQ(table.add(7, 10), Outcome::allocated);
  EXPECT_EQ(table.add(7, 11), Outcome::merged);
  EXPECT_EQ(table.used_entries(), 1u);
  EXPECT_EQ(table.free_entries(), 1u);
}

TEST(MshrTable, CountsFirstRequestAsMerge) {
  MshrTable table({.entries = 2, .merges = 2});
  EXPECT_EQ(table.add(7, 10), Outcome::allocated);
  EXPECT_EQ(table.add(7, 11), Outcome::merged);
  EXPECT_EQ(table.add(7, 12), Outcome::merges_exhausted);
  EXPECT_THAT(release(table, 7), ElementsAre(10, 11)) << "rejected requests must not be released";
}

TEST(MshrTable, RejectsSecondRequestWithoutMerges) {
  MshrTable table({.entries = 1, .merges = 1});
  EXPECT_EQ(table.add(7, 10), Outcome::allocated);
  EXPECT_EQ(table.add(7, 11), Outcome::merges_exhausted);
  EXPECT_THAT(release(table, 7), ElementsAre(10));
  EXPECT_EQ(table.add(8, 12), Outcome::allocated) << "the freed entry must be usable";
  EXPECT_THAT(release(table, 8), ElementsAre(12));
}

TEST(MshrTable, RejectsNewLinesButMergesOldOnesWhenFull) {
  MshrTable table({.entries = 2, .merges = 2});
  table.add(1, 10);
  table.add(2, 20);
  EXPECT_EQ(table.free_entries(), 0u);
  EXPECT_EQ(table.add(3, 30), Outcome::full);
  EXPECT_EQ(table.find(3), nullptr);
  EXPECT_EQ(table.add(1, 11), Outcome::merged);
  EXPECT_EQ(table.add(1, 12), Outcome::merges_exhausted)
      << "exhausted merges take precedence over a full table";
}

TEST(MshrTable, ReleasesInOrderOfArrivalAndFreesEntry) {
  MshrTable table({.entries = 1, .merges = 4});
  for (const std::uint32_t token : {30u, 10u, 10u, 20u}) table.add(5, token);
  EXPECT_THAT(release(table, 5), ElementsAre(30, 10, 10, 20));
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_EQ(table.used_entries(), 0u);
  EXPECT_EQ(table.add(6, 40), Outcome::allocated);
  EXPECT_THAT(release(table, 6), ElementsAre(40));
}

TEST(MshrTable, FindReturnsNumberOfWaitingRequests) {
  MshrTable table({.entries = 4, .merges = 4});
  EXPECT_EQ(table.find(0), nullptr) << "an empty table finds nothing";
  table.add(0, 1);
  table.add(0, 2);
  ASSERT_NE(table.find(0), nullptr);
  EXPECT_EQ(table.find(0)->line, 0u);
  EXPECT_EQ(table.find(0)->requests, 2u);
}

TEST(MshrTable, AllowsNewMissOnLineDuringRelease) {
  MshrTable table({.entries = 2, .merges = 2});
  table.add(5, 1);
  table.add(5, 2);
  std::vector<Outcome> outcomes;
  table.release(5, [&](std::uint32_t token) { outcomes.push_back(table.add(5, token + 10)); });
  EXPECT_THAT(outcomes, ElementsAre(Outcome::allocated, Outcome::merged));
  EXPECT_EQ(table.used_entries(), 1u);
  EXPECT_THAT(release(table, 5), ElementsAre(11, 12));
}

TEST(MshrTable, KeepsEntryUntilLastTokenIsServed) {
  MshrTable table({.entries = 1, .merges = 2});
  table.add(5, 1);
  table.add(5, 2);
  table.release(5, [&](std::uint32_t) {
    EXPECT_EQ(table.free_entries(), 0u);
    EXPECT_EQ(table.add(6, 9), Outcome::full);
  });
  EXPECT_EQ(table.free_entries(), 1u);
}

TEST(MshrTable, RejectsImpossibleParameters) {
  EXPECT_THROW(MshrTable({.entries = 0, .merges = 8}), InputError);
  EXPECT_THROW(MshrTable({.entries = 8, .merges = 0}), InputError);
}

// A model of MshrTable: a list of lines, each with a list of its tokens.
class ListModel {
 public:
  explicit ListModel(const MshrTable::Parameters& parameters) : parameters_(parameters) {}

  Outcome add(std::uint64_t line, std::uint32_t token) {
    for (auto& [fetched, tokens] : lines_) {
      if (fetched != line) continue;
      if (tokens.size() >= parameters_.merges) return Outcome::merges_exhausted;
      tokens.push_back(token);
      return Outcome::merged;
    }
    if (lines_.size() >= parameters_.entries) return Outcome::full;
    lines_.push_back({line, {token}});
    return Outcome::allocated;
  }
  /// The number of requests that wait for a line.
  std::size_t request_count(std::uint64_t line) const {
    for (const auto& [fetched, tokens] : lines_) {
      if (fetched == line) return tokens.size();
    }
    return 0;
  }
  /// Removes the line at an index; returns it with its tokens.
  std::pair<std::uint64_t, std::vector<std::uint32_t>> take(std::size_t index) {
    auto taken = lines_[index];
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
  }
  std::size_t size() const { return lines_.size(); }

 private:
  MshrTable::Parameters parameters_;
  std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> lines_;
};

// Compares a table with the model under random operations. On average, `adds` of 16 operations add
// a request, and the others release a line. Some runs thus fill the table, and others do not.
void expect_equals_list_model(const MshrTable::Parameters& parameters, std::uint64_t stride,
                              unsigned adds, unsigned seed) {
  SCOPED_TRACE(testing::Message() << parameters.entries << " entries, " << parameters.merges
                                  << " merges, stride " << stride << ", seed " << seed);
  MshrTable table(parameters);
  ListModel model(parameters);
  std::mt19937_64 random(seed);
  const std::uint64_t lines = 2 * parameters.entries + 1;
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    if (random() % 16 < adds || model.size() == 0) {
      const std::uint64_t line = random() % lines * stride;
      ASSERT_EQ(table.add(line, step), model.add(line, step)) << "step " << step;
    } else {
      const auto [line, tokens] = model.take(random() % model.size());
      ASSERT_EQ(release(table, line), tokens) << "step " << step;
    }
    ASSERT_EQ(table.used_entries(), model.size());
    ASSERT_EQ(table.free_entries(), parameters.entries - model.size());
    const std::uint64_t line = random() % lines * stride;
    const MshrTable::Entry* entry = table.find(line);
    ASSERT_EQ(entry == nullptr ? 0 : entry->requests, model.request_count(line)) << "step " << step;
  }
  for (std::uint64_t i = 0; i < lines; ++i) {
    const MshrTable::Entry* entry = table.find(i * stride);
    ASSERT_EQ(entry == nullptr ? 0 : entry->requests, model.request_count(i * stride));
  }
}

TEST(MshrTable, AgreesWithModelOfLists) {
  unsigned seed = 0;
  for (const std::uint32_t entries : {1u, 2u, 3u, 8u, 33u, 256u}) {
    for (const std::uint32_t merges : {1u, 2u, 8u}) {
      // Neighbouring lines, every 64th line, and lines that differ only in the highest bits.
      for (const std::uint64_t stride :
           {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{1} << 47}) {
        expect_equals_list_model({.entries = entries, .merges = merges}, stride, 9, ++seed);
        expect_equals_list_model({.entries = entries, .merges = merges}, stride, 13, ++seed);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::memory
