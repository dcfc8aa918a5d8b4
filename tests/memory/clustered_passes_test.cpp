// Passes of accesses to a scratchpad in clusters of banks, against hand-worked cases, a brute-force
// check of every pass, and the model of conflicts of a scratchpad with one bank for each cluster.

#include "memory/clustered_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "memory/scratchpad_conflicts.h"

namespace heddle::memory {
namespace {

using ::testing::ElementsAre;
using SameWord = ClusteredPasses::SameWord;

constexpr ClusteredPasses::Shape kSimple{};
constexpr ClusteredPasses::Shape kGathering{.gathers = true};

std::vector<BankSet> passes_of(const ClusteredPasses::Shape& shape, const LaneAddresses& addresses,
                               LaneMask lanes, std::uint32_t bytes = 4,
                               SameWord same_word = SameWord::shared) {
  const ClusteredPasses::Passes passes =
      ClusteredPasses(shape).passes(addresses, lanes, bytes, same_word);
  return {passes.begin(), passes.end()};
}

/// Addresses `step` bytes apart.
LaneAddresses stepped(std::uint64_t first, std::uint64_t step) {
  LaneAddresses addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) addresses[lane] = first + lane * step;
  return addresses;
}

TEST(ClusteredPasses, RowTakesOnePassInItsBank) {
  EXPECT_THAT(passes_of(kSimple, stepped(0, 4), LaneMask::all()), ElementsAre(1));
  EXPECT_THAT(passes_of(kSimple, stepped(128, 4), LaneMask::all()), ElementsAre(2));
  EXPECT_THAT(passes_of(kSimple, stepped(5 * 128, 0), LaneMask::all()), ElementsAre(2));
  EXPECT_THAT(passes_of(kSimple, stepped(3 * 128, 4), LaneMask::of_lane(31)), ElementsAre(8));
}

TEST(ClusteredPasses, UnalignedRowTakesOnePassInTwoBanks) {
  // Bytes 64 to 191: clusters 4 to 7 of row 0, then clusters 0 to 3 of row 1.
  EXPECT_THAT(passes_of(kSimple, stepped(64, 4), LaneMask::all()), ElementsAre(3));
}

TEST(ClusteredPasses, ClusterDeliversOneRowAPass) {
  // 32 banks of 4 bytes would serve lanes 33 words apart in one pass. Here lanes 0 to 3 are in
  // cluster 0, but in rows 0 to 3; so are the others in their clusters.
  EXPECT_THAT(passes_of(kSimple, stepped(0, 132), LaneMask::first_lanes(4)),
              ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(passes_of(kSimple, stepped(0, 256), LaneMask::first_lanes(4)),
              ElementsAre(1, 4, 1, 4))
      << "rows 0, 2, 4 and 6";
}

TEST(ClusteredPasses, GatheringClusterDeliversWordsOfItsBanks) {
  // Words of rows 0 to 3, each in another bank of cluster 0: 16 bytes.
  EXPECT_THAT(passes_of(kGathering, stepped(0, 132), LaneMask::first_lanes(4)), ElementsAre(15));
  // Rows 0, 2, 4 and 6 are in banks 0, 2, 0 and 2.
  EXPECT_THAT(passes_of(kGathering, stepped(0, 256), LaneMask::first_lanes(4)), ElementsAre(5, 5));
  // Each access has 8 bytes; two of them fill a cluster's 16 bytes.
  EXPECT_THAT(passes_of(kGathering, stepped(0, 128), LaneMask::first_lanes(4), 8),
              ElementsAre(3, 12));
}

TEST(ClusteredPasses, ServesLanesOfTheSameWordTogetherUnlessTheyAreAtomics) {
  EXPECT_THAT(passes_of(kGathering, stepped(0, 0), LaneMask::first_lanes(3)), ElementsAre(1));
  for (const ClusteredPasses::Shape& shape : {kSimple, kGathering}) {
    EXPECT_THAT(passes_of(shape, stepped(0, 0), LaneMask::first_lanes(3), 4, SameWord::serialised),
                ElementsAre(1, 1, 1));
  }
}

TEST(ClusteredPasses, WideAccessesAreServedInGroups) {
  EXPECT_THAT(passes_of(kSimple, stepped(0, 8), LaneMask::all(), 8), ElementsAre(1, 2));
  EXPECT_THAT(passes_of(kSimple, stepped(0, 16), LaneMask::all(), 16), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(passes_of({.clusters = 32}, stepped(0, 16), LaneMask::all(), 16),
              ElementsAre(1, 2, 4, 8))
      << "an access lies in four clusters";
}

/// Random accesses of each width; small ranges have many equal words.
template <class Check>
void for_random_accesses(Check&& check) {
  std::mt19937 random(7);
  for (int i = 0; i < 4000; ++i) {
    const std::uint32_t bytes = 1U << (i % 5);
    const std::uint32_t range = 64U << (random() % 8);
    LaneAddresses addresses{};
    for (std::uint64_t& address : addresses) address = random() % range / bytes * bytes;
    check(addresses, LaneMask(random() | 1U), bytes);
  }
}

TEST(ClusteredPasses, TakesAsManyPassesAsBanksThatAreClusters) {
  for (const std::uint32_t clusters : {8U, 16U, 32U}) {
    const ScratchpadConflicts conflicts({.banks = clusters, .bank_bytes = 128 / clusters});
    for_random_accesses([&](const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
      const ClusteredPasses::Shape shape{.clusters = clusters};
      EXPECT_EQ(passes_of(shape, addresses, lanes, bytes).size(),
                conflicts.passes(addresses, lanes, bytes));
      EXPECT_EQ(
          passes_of(shape, addresses, lanes, bytes, SameWord::serialised).size(),
          conflicts.passes(addresses, lanes, bytes, ScratchpadConflicts::SameWord::serialised));
    });
  }
}

/// The number of passes without which no hardware of this shape can serve four-byte accesses of all
/// lanes: those of the cluster with most words, and of the bank with most rows.
std::size_t fewest_passes_if_gathering(const LaneAddresses& addresses, LaneMask lanes) {
  std::map<std::uint64_t, std::set<std::uint64_t>> words_of_cluster, rows_of_bank;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if (!lanes.contains(static_cast<int>(lane))) continue;
    const std::uint64_t address = addresses[lane];
    const std::uint64_t cluster = address % 128 / 16;
    words_of_cluster[cluster].insert(address / 4);
    rows_of_bank[cluster * 4 + address / 128 % 4].insert(address / 128);
  }
  std::size_t fewest = 1;
  for (const auto& [cluster, words] : words_of_cluster) {
    fewest = std::max(fewest, (words.size() + 3) / 4);
  }
  for (const auto& [bank, rows] : rows_of_bank) fewest = std::max(fewest, rows.size());
  return fewest;
}

TEST(ClusteredPasses, GatheringSavesPassesButNotMoreThanPortsAllow) {
  std::size_t saved = 0;
  for_random_accesses([&](const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
    if (bytes != 4) return;
    const std::size_t gathered = passes_of(kGathering, addresses, lanes).size();
    const std::size_t simple = passes_of(kSimple, addresses, lanes).size();
    EXPECT_LE(gathered, simple);
    EXPECT_GE(gathered, fewest_passes_if_gathering(addresses, lanes));
    saved += simple - gathered;
  });
  EXPECT_GT(saved, 0U);
}

TEST(ClusteredPasses, AccessesTheBanksOfAllRowsAndNoOther) {
  for (const ClusteredPasses::Shape& shape : {kSimple, kGathering}) {
    for_random_accesses([&](const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
      BankSet expected = 0;
      for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
        if (lanes.contains(static_cast<int>(lane))) expected |= 1U << addresses[lane] / 128 % 4;
      }
      BankSet found = 0;
      for (const BankSet banks : passes_of(shape, addresses, lanes, bytes)) {
        EXPECT_NE(banks, 0U);
        found |= banks;
      }
      EXPECT_EQ(found, expected);
    });
  }
}

}  // namespace
}  // namespace heddle::memory
