// The victims that replacement policies choose in sequences worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "memory/replacement/letter_cache.h"

namespace heddle::memory {
namespace {

using testing::HasSubstr;

LetterCache cache_with(const std::string& policy, std::uint32_t ways = 4) {
  return LetterCache(replacement_of(policy), ways);
}

TEST(Lru, EvictsLineWhoseLastUseIsLongestAgo) {
  EXPECT_EQ(cache_with("lru").load("ABCD"
                                   "E"
                                   "F"),
            "AB");
  EXPECT_EQ(cache_with("lru").load("ABCD"
                                   "A"
                                   "EFG"
                                   "H"),
            "BCDA");
}

TEST(Fifo, EvictsLineThatWasAllocatedFirst) {
  EXPECT_EQ(cache_with("fifo").load("ABCD"
                                    "E"
                                    "F"),
            "AB");
  EXPECT_EQ(cache_with("fifo").load("ABCD"
                                    "ABA"
                                    "EF"
                                    "A"),
            "ABC")
      << "uses must not change the order";
}

TEST(Fifo, CountsReturnOfALineAsNew) {
  EXPECT_EQ(cache_with("fifo").load("ABCD"
                                    "E"
                                    "A"
                                    "FGH"
                                    "I"),
            "ABCDEA");
}

TEST(PseudoLru, FollowsBitsOfItsTree) {
  // The bits are those of the root, of the half AB, and of the half CD. They point to the half that
  // was not used last: after ABCD, all point to the first half.
  // E replaces A: the root points to CD, whose bit points to C. LRU would evict B next.
  // F replaces C: the root points to EB, whose bit points to B.
  // G replaces B: the root points to FD, whose bit points to D.
  EXPECT_EQ(cache_with("pseudo-lru")
                .load("ABCD"
                      "EFGH"),
            "ACBD");
  // The use of A turns the root to CD, and then the use of D turns it back to AB, whose bit
  // still points away from A.
  EXPECT_EQ(cache_with("pseudo-lru")
                .load("ABCD"
                      "A"
                      "E"),
            "C");
  EXPECT_EQ(cache_with("pseudo-lru")
                .load("ABCD"
                      "AD"
                      "E"),
            "B");
}

TEST(PseudoLru, EqualsLruWithTwoWays) {
  const std::string lines = "ABACBCAABBCACB";
  EXPECT_EQ(cache_with("pseudo-lru", 2).load(lines), cache_with("lru", 2).load(lines));
}

TEST(PseudoLru, LeavesHalfInFlightOut) {
  LetterCache cache = cache_with("pseudo-lru");
  cache.request('A');
  cache.request('B');
  cache.load("CD");
  EXPECT_EQ(cache.request('E'), 'C') << "the root points to A and B, which are in flight";
  EXPECT_EQ(cache.request('F'), 'D') << "D is the only line that is not in flight";
}

TEST(PseudoLru, RejectsOtherNumbersOfWaysThanPowersOfTwo) {
  const ReplacementDescription description = replacement_of("pseudo-lru");
  for (const std::uint32_t ways : {1, 2, 4, 8, 256}) {
    EXPECT_NO_THROW(description.check("l1", ways)) << ways;
  }
  for (const std::uint32_t ways : {3, 6, 24, 255}) {
    try {
      description.check("texture", ways);
      ADD_FAILURE() << "expected an error for " << ways << " ways";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("texture.replacement.policy 'pseudo-lru'"));
      EXPECT_THAT(error.what(), HasSubstr("texture.ways is " + std::to_string(ways)));
    }
  }
  EXPECT_NO_THROW(replacement_of("lru").check("texture", 24));
}

/// The ways of the victims of loads that all miss, in a set of four ways.
std::vector<std::size_t> random_victims(const std::string& setting) {
  CacheTags tags({.bytes = 256,
                  .line_bytes = 64,
                  .sector_bytes = 64,
                  .ways = 4,
                  .replacement = replacement_of("random", setting)});
  std::vector<std::uint64_t> lines{0, 1, 2, 3};  // By way.
  for (const std::uint64_t line : lines) tags.insert(line, 1, false);
  std::vector<std::size_t> victims;
  for (std::uint64_t line = 4; line < 404; ++line) {
    const std::uint64_t evicted = tags.insert(line, 1, false)->evicted->line;
    const auto way = std::find(lines.begin(), lines.end(), evicted);
    victims.push_back(static_cast<std::size_t>(way - lines.begin()));
    *way = line;
  }
  return victims;
}

TEST(RandomReplacement, DependsOnSeedOnly) {
  EXPECT_EQ(random_victims("seed=7"), random_victims("seed=7"));
  EXPECT_NE(random_victims("seed=7"), random_victims("seed=8"));
}

TEST(RandomReplacement, ChoosesEveryWayEquallyOften) {
  const std::vector<std::size_t> victims = random_victims("seed=1");
  for (std::size_t way = 0; way < 4; ++way) {
    const auto count = std::count(victims.begin(), victims.end(), way);
    EXPECT_GT(count, 70) << way;
    EXPECT_LT(count, 130) << way;
  }
}

TEST(RandomReplacement, IsNotChangedByHits) {
  LetterCache plain = cache_with("random");
  LetterCache with_hits = cache_with("random");
  plain.load("ABCD");
  with_hits.load(
      "ABCD"
      "ABCDDCBA");
  EXPECT_EQ(plain.load("EFGHIJ"), with_hits.load("EFGHIJ"));
}

const std::vector<std::string> kPolicies{"fifo", "lru", "pseudo-lru", "random"};

TEST(ReplacementPolicies, UseEmptyWayFirst) {
  for (const std::string& policy : kPolicies) {
    LetterCache cache = cache_with(policy);
    EXPECT_EQ(cache.load("ABCD"), "") << policy;
    cache.invalidate('C');
    EXPECT_EQ(cache.load("E"), "") << policy;
    EXPECT_EQ(cache.load("ABDE"), "") << policy << ": all four must be present";
  }
}

TEST(ReplacementPolicies, DoNotEvictLinesInFlight) {
  for (const std::string& policy : kPolicies) {
    SCOPED_TRACE(policy);
    LetterCache cache = cache_with(policy);
    for (const char line : {'A', 'C', 'D'}) cache.request(line);
    cache.load("B");
    EXPECT_EQ(cache.request('E'), 'B');
    EXPECT_EQ(cache.tags().reserve(LetterCache::number('F'), 1), std::nullopt);
    cache.arrive('D');
    EXPECT_EQ(cache.request('F'), 'D');
  }
}

TEST(ReplacementPolicies, PredictEvictionOfDirtyLine) {
  for (const std::string& policy : kPolicies) {
    SCOPED_TRACE(policy);
    LetterCache cache = cache_with(policy);
    cache.load("ABCD");
    cache.tags().write(LetterCache::number('A'), 1, true);
    cache.tags().write(LetterCache::number('C'), 1, true);
    for (const char line : std::string("EFGHIJ")) {
      const bool predicted = cache.tags().would_evict_dirty(LetterCache::number(line));
      const auto reservation = cache.tags().insert(LetterCache::number(line), 1, line == 'G');
      EXPECT_EQ(reservation->evicted->dirty != 0, predicted) << line;
    }
  }
}

TEST(ReplacementDescription, ListsPoliciesAndRejectsOthers) {
  ReplacementDescription description;
  EXPECT_EQ(description.policy, "lru");
  config::Declarations parameters;
  description.declare(parameters);
  EXPECT_EQ(parameters.find("policy").choices, kPolicies);
  EXPECT_THROW(config::set_parameter(parameters, "policy=clock"), InputError);
}

}  // namespace
}  // namespace heddle::memory
