#include "sm/operands/word_pool.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace heddle::sm {
namespace {

/// What so many words save in a strand of ten instructions, from one word on.
code::StrandWorth saves(const std::vector<double>& by_words) {
  code::StrandWorth worth{.instructions = 10};
  for (std::size_t i = 0; i < by_words.size(); ++i) worth.saved[i + 1] = by_words[i];
  return worth;
}

void begin(WordPool& pool, WarpSlot warp, const code::StrandWorth& strand) {
  pool.begin(warp, LaneMask::all(), LaneMask::all(), strand);
}

std::uint64_t counted(WordPool& pool, std::string_view name) {
  CounterList list;
  pool.declare(list);
  for (const Counter& counter : list.all()) {
    if (counter.name == name) return *counter.value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(WordPool, GivesAWarpAsManyWordsAsSaveMoreThanTheyCost) {
  // In ten instructions the first costs 5 and saves 12, the second 5 * 24 / 23 and 6, the third
  // 5 * 24 / 22 and 4.
  WordPool pool(24, 3, 0.5);
  begin(pool, 0, saves({12, 18, 22}));
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, GivesNoWordThatSavesWhatItCosts) {
  WordPool pool(24, 1, 0.5);
  begin(pool, 0, saves({5}));
  EXPECT_EQ(pool[0], 0u);
  begin(pool, 0, saves({5.01}));
  EXPECT_EQ(pool[0], 1u);
}

TEST(WordPool, AsksForMoreTheFewerWordsAreLeft) {
  WordPool pool(10, 5, 0.1);
  begin(pool, 0, saves({100, 200, 300, 400, 500}));
  EXPECT_EQ(pool[0], 5u);
  // Half of them are.
  begin(pool, 1, saves({2}));
  EXPECT_EQ(pool[1], 0u);
  begin(pool, 1, saves({2.01}));
  EXPECT_EQ(pool[1], 1u);
}

TEST(WordPool, GivesNoMoreThanAWarpMayHave) {
  WordPool pool(24, 2, 0);
  begin(pool, 0, saves({12, 18, 22}));
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, WithoutAPriceGivesNoWordThatSavesNothing) {
  WordPool pool(24, 3, 0);
  begin(pool, 0, saves({12, 12, 13}));
  EXPECT_EQ(pool[0], 3u);
  begin(pool, 1, saves({12, 12, 12}));
  EXPECT_EQ(pool[1], 1u);
}

TEST(WordPool, GivesWhatIsLeftOrLessWhereThatIsBetter) {
  WordPool pool(5, 3, 0.1);
  begin(pool, 0, saves({10, 20, 30}));
  EXPECT_EQ(pool[0], 3u);
  // The third makes the others worth while: two cost 7.5, three 12.5.
  begin(pool, 1, saves({0.5, 1.5, 30}));
  EXPECT_EQ(pool[1], 0u);
  begin(pool, 2, saves({10, 20, 30}));
  EXPECT_EQ(pool[2], 2u);
  begin(pool, 3, saves({10, 20, 30}));
  EXPECT_EQ(pool[3], 0u);
  EXPECT_EQ(counted(pool, "pool_strands"), 4u);
  EXPECT_EQ(counted(pool, "pool_words"), 3u + 2u);
  EXPECT_EQ(counted(pool, "pool_lacking"), 3u + 1u + 3u);
}

TEST(WordPool, HasTheWordsOfAWarpThatGivesThemBack) {
  WordPool pool(3, 3, 0);
  begin(pool, 0, saves({10, 20, 30}));
  pool.give_back(0);
  EXPECT_EQ(pool[0], 0u);
  begin(pool, 1, saves({10, 20, 30}));
  EXPECT_EQ(pool[1], 3u);
}

TEST(WordPool, LetsAWarpChooseAmongItsOwnWords) {
  WordPool pool(3, 3, 0);
  begin(pool, 0, saves({10, 20}));
  begin(pool, 0, saves({10, 20, 30}));
  EXPECT_EQ(pool[0], 3u);
  begin(pool, 1, saves({10}));
  EXPECT_EQ(pool[1], 0u);
}

constexpr LaneMask kLow(0x0000ffffU);
constexpr LaneMask kHigh(0xffff0000U);

TEST(WordPool, HasForPartedThreadsAsManyWordsAsTheStrandWithTheMost) {
  WordPool pool(4, 3, 0);
  const code::StrandWorth before = saves({10, 20, 30});
  const code::StrandWorth side = saves({10, 20});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  pool.begin(0, kLow, LaneMask::all(), side);
  EXPECT_EQ(pool[0], 2u);
  // One is left: it still has three for the others.
  begin(pool, 1, saves({10, 20}));
  EXPECT_EQ(pool[1], 1u);
  pool.go_on(0, kHigh);
  EXPECT_EQ(pool[0], 3u);
  pool.go_on(0, kLow);
  EXPECT_EQ(pool[0], 2u);
  // The others begin another strand, and one that was three words' has no thread left.
  pool.give_back(1);
  pool.begin(0, kHigh, LaneMask::all(), side);
  begin(pool, 1, saves({10, 20}));
  EXPECT_EQ(pool[1], 2u);
}

TEST(WordPool, TakesNoPriceForWordsThatTheWarpHoldsForOtherThreads) {
  WordPool pool(8, 3, 1);
  const code::StrandWorth before = saves({20, 40, 40});
  const code::StrandWorth side = saves({1, 2, 3});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  EXPECT_EQ(pool[0], 2u);
  pool.begin(0, kLow, LaneMask::all(), side);
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, GivesThreadsThatMeetInAStrandTheSame) {
  WordPool pool(3, 3, 0);
  const code::StrandWorth loop = saves({10, 20, 30});
  begin(pool, 1, saves({10}));
  pool.begin(0, LaneMask::all(), LaneMask::all(), loop);
  EXPECT_EQ(pool[0], 2u);
  pool.give_back(1);
  // There is one more now, but those of the loop before have two.
  pool.begin(0, kLow, LaneMask::all(), loop);
  EXPECT_EQ(pool[0], 2u);
}

TEST(WordPool, HoldsNothingForThreadsThatHaveExited) {
  WordPool pool(3, 3, 0);
  const code::StrandWorth before = saves({10, 20, 30});
  const code::StrandWorth side = saves({10});
  pool.begin(0, LaneMask::all(), LaneMask::all(), before);
  pool.begin(0, kLow, kLow, side);
  begin(pool, 1, saves({10, 20}));
  EXPECT_EQ(pool[1], 2u);
}

}  // namespace
}  // namespace heddle::sm
