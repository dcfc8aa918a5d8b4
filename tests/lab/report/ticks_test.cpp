#include "lab/report/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "lab/report/scale.h"

namespace heddle::lab::report {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

std::vector<std::string> labels(double low, double high, int most = 8) {
  const Ticks ticks = make_ticks(low, high, most);
  std::vector<std::string> texts;
  for (const double value : ticks.values) texts.push_back(ticks.label(value));
  return texts;
}

TEST(Ticks, AreRoundNumbersAroundTheValues) {
  EXPECT_THAT(labels(0, 1), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(0, 1.76), ElementsAre("0.0", "0.5", "1.0", "1.5", "2.0"));
  EXPECT_THAT(labels(0.97, 1.06), ElementsAre("0.96", "0.98", "1.00", "1.02", "1.04", "1.06"));
  EXPECT_THAT(labels(-3, 5), ElementsAre("-4", "-2", "0", "2", "4", "6"));
  EXPECT_THAT(labels(0, 90), ElementsAre("0", "20", "40", "60", "80", "100"));
}

TEST(Ticks, HaveOneMoreDigitForStepsOf2Point5) {
  EXPECT_THAT(labels(0, 17),
              ElementsAre("0.0", "2.5", "5.0", "7.5", "10.0", "12.5", "15.0", "17.5"));
  EXPECT_THAT(labels(0, 1.7),
              ElementsAre("0.00", "0.25", "0.50", "0.75", "1.00", "1.25", "1.50", "1.75"));
  EXPECT_THAT(labels(0, 170), ElementsAre("0", "25", "50", "75", "100", "125", "150", "175"));
}

TEST(Ticks, CanHaveMoreDigits) { EXPECT_EQ(make_ticks(0, 1, 8).label(0.456, 1), "0.46"); }

TEST(Ticks, ExtendToZeroForASingleValue) {
  EXPECT_THAT(labels(7, 7), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(labels(-3, -3, 4), ElementsAre("-3", "-2", "-1", "0"));
  EXPECT_EQ(make_ticks(0, 0, 8).low(), 0);
  EXPECT_EQ(make_ticks(0, 0, 8).high(), 1);
}

TEST(Ticks, EndAtTheBoundsOfARoundRange) {
  // In binary, 0.3 is not a multiple of 0.1.
  EXPECT_THAT(make_ticks(0, 0.3, 4).values,
              ElementsAre(0, DoubleEq(0.1), DoubleEq(0.2), DoubleEq(0.3)));
}

TEST(Ticks, EncloseAnyRangeInFewSteps) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const double size = std::pow(10, exponent(random));
    double low = share(random) * size;
    double high = share(random) * size;
    if (low > high) std::swap(low, high);
    const Ticks ticks = make_ticks(low, high, 8);
    ASSERT_LE(ticks.values.size(), 8U) << low << " " << high;
    ASSERT_GE(ticks.values.size(), 2U) << low << " " << high;
    const double slack = 1e-6 * ticks.step;
    EXPECT_LE(ticks.low(), low + slack);
    EXPECT_GE(ticks.high(), high - slack);
    // Only the next coarser step would give fewer ticks.
    EXPECT_LE(ticks.high() - ticks.low(), 5 * (high - low) + slack) << low << " " << high;
  }
}

TEST(Ticks, TerminateForTheLargestNumbers) {
  EXPECT_GE(make_ticks(0, 1.7e308, 8).values.size(), 2U);
  EXPECT_EQ(make_ticks(-1.7e308, 1.7e308, 8).values.size(), 2U);
  EXPECT_EQ(make_ticks(1, std::nextafter(1.0, 2.0), 8).values.size(), 2U);
  EXPECT_GE(make_ticks(0, 5e-324, 8).values.size(), 2U);
}

TEST(Scale, IsInProportion) {
  const Scale scale(-1, 3, 200, 0);
  EXPECT_EQ(scale(-1), 200);
  EXPECT_EQ(scale(0), 150);
  EXPECT_EQ(scale(3), 0);
}

}  // namespace
}  // namespace heddle::lab::report
