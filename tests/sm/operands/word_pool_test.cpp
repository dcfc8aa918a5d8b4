#include "sm/operands/word_pool.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace heddle::sm {
namespace {

/// The savings of a strand (a stretch of code for which words are allocated) of ten instructions.
/// Element i of `by_words` is the energy that i + 1 words save.
code::StrandSavings savings_of(const std::vector<double>& by_words) {
  code::StrandSavings savings{.instructions = 10};
  for (std::size_t i = 0; i < by_words.size(); ++i) savings.saved[i + 1] = by_words[i];
  return savings;
}

void begin(WordPool& pool, WarpSlot warp, const code::StrandSavings& strand) {
  pool.begin(warp, LaneMask::all(), LaneMask::all(), strand);
}

std::uint64_t counter_value(WordPool& pool, std::string_view name) {
  CounterList list;
  pool.declare(list);
  for (const Counter& counter : list.all()) {
    if (counter.name == name) return *counter.value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(WordPool, TakesWordsThatSaveMoreThanTheirPrice) {
  // In ten instructions, the first word costs 5 and saves 12. The second costs 5 * 24 / 23 and
  // saves 6 more. The third costs 5 * 24 / 22 and saves 4 more.
  WordPool pool(24, 3, 0.5);
  begin(pool, 0, savings_of({12, 18, 22}));
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, TakesNoWordThatSavesExactlyItsPrice) {
  WordPool pool(24, 1, 0.5);
  begin(pool, 0, savings_of({5}));
  EXPECT_EQ(pool[0], 0u);
  begin(pool, 0, savings_of({5.01}));
  EXPECT_EQ(pool[0], 1u);
}

TEST(WordPool, PriceRisesAsFewerWordsAreLeft) {
  WordPool pool(10, 5, 0.1);
  begin(pool, 0, savings_of({100, 200, 300, 400, 500}));
  EXPECT_EQ(pool[0], 5u);
  // Half of the words are left, so the price has doubled.
  begin(pool, 1, savings_of({2}));
  EXPECT_EQ(pool[1], 0u);
  begin(pool, 1, savings_of({2.01}));
  EXPECT_EQ(pool[1], 1u);
}

TEST(WordPool, TakesAtMostTheLimitOfAWarp) {
  WordPool pool(24, 2, 0);
  begin(pool, 0, savings_of({12, 18, 22}));
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, TakesNoUselessWordWithoutPrice) {
  WordPool pool(24, 3, 0);
  begin(pool, 0, savings_of({12, 12, 13}));
  EXPECT_EQ(pool[0], 3u);
  begin(pool, 1, savings_of({12, 12, 12}));
  EXPECT_EQ(pool[1], 1u);
}

TEST(WordPool, TakesBestNumberOfTheWordsLeft) {
  WordPool pool(5, 3, 0.1);
  begin(pool, 0, savings_of({10, 20, 30}));
  EXPECT_EQ(pool[0], 3u);
  // Two words are left. They cost 7.5 and save 1.5; only a third would make them worth their price.
  begin(pool, 1, savings_of({0.5, 1.5, 30}));
  EXPECT_EQ(pool[1], 0u);
  begin(pool, 2, savings_of({10, 20, 30}));
  EXPECT_EQ(pool[2], 2u);
  begin(pool, 3, savings_of({10, 20, 30}));
  EXPECT_EQ(pool[3], 0u);
  EXPECT_EQ(counter_value(pool, "pool_strands"), 4u);
  EXPECT_EQ(counter_value(pool, "pool_words"), 3u + 2u);
  EXPECT_EQ(counter_value(pool, "pool_words_lacking"), 3u + 1u + 3u);
}

TEST(WordPool, ReusesReleasedWords) {
  WordPool pool(3, 3, 0);
  begin(pool, 0, savings_of({10, 20, 30}));
  pool.release(0);
  EXPECT_EQ(pool[0], 0u);
  begin(pool, 1, savings_of({10, 20, 30}));
  EXPECT_EQ(pool[1], 3u);
}

TEST(WordPool, NewStrandMayReuseWarpsOwnWords) {
  WordPool pool(3, 3, 0);
  begin(pool, 0, savings_of({10, 20}));
  begin(pool, 0, savings_of({10, 20, 30}));
  EXPECT_EQ(pool[0], 3u);
  begin(pool, 1, savings_of({10}));
  EXPECT_EQ(pool[1], 0u);
}

constexpr LaneMask kLow(0x0000ffffU);
constexpr LaneMask kHigh(0xffff0000U);

TEST(WordPool, HoldsMaximumOverStrandsOfDivergedThreads) {
  WordPool pool(4, 3, 0);
  const code::StrandSavings before = savings_of({10, 20, 30});
  const code::StrandSavings side = savings_of({10, 20});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  pool.begin(0, kLow, LaneMask::all(), side);
  EXPECT_EQ(pool[0], 2u);
  // One word is left: the warp still holds three for its other threads.
  begin(pool, 1, savings_of({10, 20}));
  EXPECT_EQ(pool[1], 1u);
  pool.resume_strand(0, kHigh);
  EXPECT_EQ(pool[0], 3u);
  pool.resume_strand(0, kLow);
  EXPECT_EQ(pool[0], 2u);
  // The other threads begin another strand, and no thread is left in the strand with three words.
  pool.release(1);
  pool.begin(0, kHigh, LaneMask::all(), side);
  begin(pool, 1, savings_of({10, 20}));
  EXPECT_EQ(pool[1], 2u);
}

TEST(WordPool, WordsHeldForOtherThreadsHaveNoPrice) {
  WordPool pool(8, 3, 1);
  const code::StrandSavings before = savings_of({20, 40, 40});
  const code::StrandSavings side = savings_of({1, 2, 3});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  EXPECT_EQ(pool[0], 2u);
  pool.begin(0, kLow, LaneMask::all(), side);
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, ThreadsInSameStrandHaveSameNumberOfWords) {
  WordPool pool(3, 3, 0);
  const code::StrandSavings loop = savings_of({10, 20, 30});
  begin(pool, 1, savings_of({10}));
  pool.begin(0, LaneMask::all(), LaneMask::all(), loop);
  EXPECT_EQ(pool[0], 2u);
  pool.release(1);
  // One more word is free now, but the threads that are already in the loop have two.
  pool.begin(0, kLow, LaneMask::all(), loop);
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, HoldsNoWordsForExitedThreads) {
  WordPool pool(3, 3, 0);
  const code::StrandSavings before = savings_of({10, 20, 30});
  const code::StrandSavings side = savings_of({10});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  pool.begin(0, kLow, kLow, side);
  begin(pool, 1, savings_of({10, 20}));
  EXPECT_EQ(pool[1], 2u);
}

}  // namespace
}  // namespace heddle::sm
