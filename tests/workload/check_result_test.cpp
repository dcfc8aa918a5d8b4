#include "workload/check_result.h"

#include <gtest/gtest.h>

namespace heddle::workload {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

TEST(CheckResult, DoesNotPassIfNothingWasCompared) { EXPECT_FALSE(CheckResult().passed()); }

TEST(CheckResult, PassesEqualIntegers) {
  CheckResult check;
  check.exact("counts", std::vector<int>{1, 2, 3}, std::vector<int>{1, 2, 3});
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.compared_count(), 3U);
}

TEST(CheckResult, NamesTheFirstDifferences) {
  CheckResult check;
  check.exact("counts", std::vector<int>{1, 5, 3}, std::vector<int>{1, 2, -3});
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.differing_count(), 2U);
  ASSERT_EQ(check.differences().size(), 2U);
  EXPECT_EQ(check.differences()[0].where, "counts[1]");
  EXPECT_EQ(check.differences()[0].got, "5");
  EXPECT_EQ(check.differences()[0].want, "2");
  EXPECT_EQ(check.differences()[1].where, "counts[2]");
}

TEST(CheckResult, CountsAllDifferencesAndKeepsTheFirst) {
  CheckResult check;
  check.exact("x", std::vector<int>(1000, 1), std::vector<int>(1000, 2));
  EXPECT_EQ(check.differing_count(), 1000U);
  EXPECT_LE(check.differences().size(), 10U);
}

TEST(CheckResult, ReportsAnArrayOfDifferentLength) {
  CheckResult check;
  check.exact("x", std::vector<int>{1, 2}, std::vector<int>{1, 2, 3});
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.differences()[0].got, "2");
}

TEST(CheckResult, PassesAFloatOnTheBoundOnly) {
  const Bound bound{.relative = 0.25, .absolute = 0.5, .reason = "for the test"};
  // The bound allows a difference of 0.25 * 4 + 0.5 = 1.5.
  CheckResult on_bound;
  on_bound.close("x", Floats{5.5F, 2.5F}, Doubles{4, 4}, bound);
  EXPECT_TRUE(on_bound.passed());
  EXPECT_DOUBLE_EQ(on_bound.bounds()[0].used_fraction, 1.0);
  CheckResult beyond_bound;
  beyond_bound.close("x", Doubles{5.5000001}, Doubles{4}, bound);
  EXPECT_FALSE(beyond_bound.passed());
}

TEST(CheckResult, ReportsTheUsedFractionOfTheBound) {
  CheckResult check;
  check.close("x", Doubles{1.1, 0.75}, Doubles{1, 1},
              {.relative = 0, .absolute = 1, .reason = "test"});
  EXPECT_DOUBLE_EQ(check.bounds()[0].used_fraction, 0.25);
}

TEST(CheckResult, RequiresNanAndInfinityWhereTheReferenceHasThem) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto passes = [&](double got, double want) {
    CheckResult check;
    check.close("x", Doubles{got}, Doubles{want},
                {.relative = 0.5, .absolute = 100, .reason = "test"});
    return check.passed();
  };
  EXPECT_TRUE(passes(nan, nan));
  EXPECT_TRUE(passes(infinity, infinity));
  EXPECT_FALSE(passes(nan, 1));
  EXPECT_FALSE(passes(1, nan));
  EXPECT_FALSE(passes(infinity, 1));
  EXPECT_FALSE(passes(-infinity, infinity));
  EXPECT_FALSE(passes(1, infinity));
}

TEST(CheckResult, ComparesEveryBitWithoutABound) {
  CheckResult check;
  check.close("x", Floats{1.0F, std::nextafter(1.0F, 2.0F)}, Floats{1.0F, 1.0F}, {});
  EXPECT_EQ(check.differing_count(), 1U);
}

TEST(CheckResult, CountsAFailedRequirementAsADifference) {
  CheckResult check;
  check.require(true, "house edge", "0.5", "0.4 to 0.6");
  EXPECT_TRUE(check.passed());
  check.require(false, "house edge", "7", "0.4 to 0.6");
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.differences()[0].where, "house edge");
}

}  // namespace
}  // namespace heddle::workload
