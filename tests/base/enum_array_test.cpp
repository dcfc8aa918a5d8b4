#include "base/enum_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heddle {
namespace {

enum class Season { spring, summer, autumn, winter };
template <class Value>
using BySeason = EnumArray<Season, Value, values_up_to(Season::winter)>;

TEST(EnumArray, HasOneElementPerEnumerator) {
  EXPECT_EQ(values_up_to(Season::spring), 1u);
  EXPECT_EQ(values_up_to(Season::winter), 4u);
  EXPECT_EQ(BySeason<int>::size(), 4u);
}

TEST(EnumArray, IsZeroAfterValueInitialization) {
  const BySeason<int> days{};
  EXPECT_THAT(days.values_, testing::ElementsAre(0, 0, 0, 0));
}

TEST(EnumArray, StoresValuesIndependently) {
  BySeason<std::string> names;
  names[Season::summer] = "warm";
  names[Season::winter] = "cold";
  EXPECT_THAT(names.values_, testing::ElementsAre("", "warm", "", "cold"));
  const BySeason<std::string>& same = names;
  EXPECT_EQ(same[Season::winter], "cold");
  EXPECT_EQ(same[Season::spring], "");
}

TEST(EnumArray, IteratesInOrderOfEnumerators) {
  BySeason<int> numbers{};
  int next = 10;
  for (int& number : numbers) number = next++;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Season season = BySeason<int>::index_at(i);
    EXPECT_EQ(static_cast<std::size_t>(season), i);
    EXPECT_EQ(numbers[season], 10 + static_cast<int>(i));
  }
}

TEST(EnumArray, IsUsableInConstantExpressions) {
  constexpr int kSum = [] {
    BySeason<int> days{};
    days[Season::autumn] = 91;
    int sum = 0;
    for (const int each : days) sum += each;
    return sum;
  }();
  static_assert(kSum == 91);
}

}  // namespace
}  // namespace heddle
