#include "workload/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace heddle::workload {
namespace {

TEST(Random, MatchesSplitMix64) {
  // The published sequence of seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(Random, BelowCoversItsRangeEvenly) {
  Random random(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70000; ++i) ++seen.at(random.below(7));
  for (const int count : seen) EXPECT_NEAR(count, 10000, 500);  // five standard deviations
}

TEST(Random, UniformStaysInItsRange) {
  Random random(5);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.uniform(-2, 6);
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 6);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 2, 0.04);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(7);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 100000, 0, 0.02);
  EXPECT_NEAR(std::sqrt(squares / 100000), 1, 0.02);
}

}  // namespace
}  // namespace heddle::workload
