#include "lab/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "lab/claim_text.h"
#include "lab/verdict.h"
#include "measured_study.h"

namespace heddle::lab {
namespace {

using testing::ElementsAre;

// "better" has 2 and 8 times the IPC of "base"; the geometric mean of both is 4.
const std::vector<std::optional<double>> kIpcs{1.0, 2.0, 0.5, 2.0, 16.0, 1.0};

TEST(Mean, IsOfTheRequestedKind) {
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::arithmetic), near(7.0 / 3));
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::geometric), near(2));
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::harmonic), near(12.0 / 7));
}

TEST(Mean, RatioOfSumsWeighsRowsByTheirValues) {
  // IPC rises from 1 to 2 and from 2 to 16; the sums are 3 and 18.
  const auto gain = [](const std::string& mean) {
    return verdict_of("kind = \"gain\"\nvariant = \"better\"\nvalue = 4\nmean = \"" + mean + "\"\n",
                      kIpcs)
        .measured;
  };
  EXPECT_THAT(gain("ratio-of-sums"), near(5));
  EXPECT_THAT(gain("arithmetic"), near(4));
  EXPECT_THAT(gain("geometric"), near(3));
}

TEST(Mean, IsEmptyIfUndefined) {
  EXPECT_EQ(mean_of({}, Mean::arithmetic), std::nullopt);
  EXPECT_EQ(mean_of({1, std::nullopt}, Mean::arithmetic), std::nullopt);
  EXPECT_EQ(mean_of({1, 0}, Mean::geometric), std::nullopt);
  EXPECT_EQ(mean_of({1, -1}, Mean::harmonic), std::nullopt);
  EXPECT_THAT(mean_of({1, -1}, Mean::arithmetic), near(0));
}

TEST(Table, IsRelativeToTheNamedVariant) {
  const Table table = make_table(Study(kIpcs).seeds);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].name, "bfs");
  EXPECT_THAT(table.rows[0].values, ElementsAre(near(1), near(2), near(0.5)));
  EXPECT_THAT(table.rows[1].values, ElementsAre(near(1), near(8), near(0.5)));
}

TEST(Table, ContainsMeansOfGroupsAndOfAllRows) {
  const Table table = make_table(Study(kIpcs).seeds);
  ASSERT_EQ(table.means.size(), 3U);
  EXPECT_EQ(table.means[0].name, "geometric mean, high");
  EXPECT_EQ(table.means[2].name, "geometric mean");
  EXPECT_THAT(table.means[0].values, ElementsAre(near(1), near(2), near(0.5)));
  EXPECT_THAT(table.means[2].values, ElementsAre(near(1), near(4), near(0.5)));
}

TEST(Table, LeavesOnlyTheMeansOfAnEmptyCellEmpty) {
  const Table table = make_table(Study({1.0, std::nullopt, 0.5, 2.0, 16.0, 1.0}).seeds);
  EXPECT_EQ(table.rows[0].values[1], std::nullopt);
  EXPECT_EQ(table.means[2].values[1], std::nullopt);
  EXPECT_THAT(table.means[1].values[1], near(8));
  EXPECT_THAT(table.means[2].values[2], near(0.5));
}

TEST(Claim, GainHoldsWithinHalfToTwice) {
  const std::string gain = "kind = \"gain\"\nvariant = \"better\"\n";
  const ClaimVerdict exact = verdict_of(gain + "value = 3.0\n", kIpcs);
  EXPECT_THAT(exact.measured, near(3));
  EXPECT_TRUE(exact.holds());
  EXPECT_EQ(exact.sign_holds, true);
  EXPECT_EQ(exact.order_holds, std::nullopt);
  EXPECT_EQ(verdict_of(gain + "value = 1.51\n", kIpcs).magnitude_holds, true);
  EXPECT_EQ(verdict_of(gain + "value = 1.49\n", kIpcs).magnitude_holds, false);
  EXPECT_EQ(verdict_of(gain + "value = 5.99\n", kIpcs).magnitude_holds, true);
  EXPECT_EQ(verdict_of(gain + "value = 6.01\n", kIpcs).magnitude_holds, false);
}

TEST(Claim, GainHasTheWrongSignForALoss) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"gain\"\nvariant = \"worse\"\nvalue = 0.5\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(-0.5));
  EXPECT_EQ(verdict.sign_holds, false);
  EXPECT_FALSE(verdict.holds());
}

TEST(Claim, SavingIsTheReduction) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"saving\"\nvariant = \"worse\"\nvalue = 0.4\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(0.5));
  EXPECT_TRUE(verdict.holds());
}

TEST(Claim, MayConcernAWorkloadAGroupOrAnotherMetricAndVariant) {
  const std::string gain = "kind = \"gain\"\nvariant = \"better\"\nvalue = 1\n";
  EXPECT_THAT(verdict_of(gain + "workload = \"scan\"\n", kIpcs).measured, near(7));
  EXPECT_THAT(verdict_of(gain + "group = \"high\"\n", kIpcs).measured, near(1));
  EXPECT_THAT(verdict_of(gain + "relative_to = \"worse\"\n", kIpcs).measured, near(7));
  EXPECT_THAT(verdict_of(gain + "metric = \"waste\"\n", kIpcs).measured, near(-0.75));
}

TEST(Claim, FigureWithItsOwnMetricIsNotRelative) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"figure\"\nmetric = \"ipc\"\nvariant = \"better\"\nvalue = 9\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(9));
  EXPECT_EQ(verdict.sign_holds, std::nullopt);
  EXPECT_EQ(verdict.magnitude_holds, true);
}

TEST(Claim, UsesItsOwnToleranceIfGiven) {
  const std::string none = "kind = \"gain\"\nvariant = \"base\"\nvalue = 0\nwithin = 0.1\n";
  EXPECT_TRUE(verdict_of(none, kIpcs).holds());
  const std::string share =
      "kind = \"share\"\nmetric = \"waste\"\nworkload = \"bfs\"\nvariant = \"better\"\n";
  EXPECT_TRUE(verdict_of(share + "value = 0.45\nwithin = 0.06\n", kIpcs).holds());
  EXPECT_FALSE(verdict_of(share + "value = 0.45\nwithin = 0.04\n", kIpcs).holds());
}

// The gain of the better variant on bfs is 1.
const std::string kGainOfBfs = "kind = \"gain\"\nvariant = \"better\"\nworkload = \"bfs\"\n";

TEST(Claim, HoldsInsideAReportedRangeOnly) {
  const auto verdict = [](const char* range) { return verdict_of(kGainOfBfs + range, kIpcs); };
  EXPECT_TRUE(verdict("range = [0.5, 1.1]\n").holds());
  EXPECT_TRUE(verdict("range = [1.0, 1.1]\n").holds());
  EXPECT_FALSE(verdict("range = [1.01, 1.1]\n").holds());
  EXPECT_FALSE(verdict("range = [0.5, 0.99]\n").holds());
  EXPECT_TRUE(verdict("range = [0.5, 0.99]\nwithin = 0.02\n").holds());
  EXPECT_TRUE(verdict("at_least = 1\n").holds());
  EXPECT_FALSE(verdict("at_least = 1.01\n").holds());
  EXPECT_TRUE(verdict("at_least = 1.01\nwithin = 0.02\n").holds());
  EXPECT_TRUE(verdict("at_most = 1\n").holds());
  EXPECT_FALSE(verdict("at_most = 0.99\n").holds());
  EXPECT_EQ(verdict("at_least = -0.01\n").sign_holds, std::nullopt);
}

TEST(Claim, HasTheDistanceToTheNearestEndOfARange) {
  const auto distance = [](const std::string& claim) { return verdict_of(claim, kIpcs).distance; };
  EXPECT_THAT(distance(kGainOfBfs + "range = [0.5, 1.1]\n"), near(0));
  EXPECT_THAT(distance(kGainOfBfs + "range = [1.25, 2]\n"), near(-0.25));
  EXPECT_THAT(distance(kGainOfBfs + "at_most = 0.75\n"), near(0.25));
  EXPECT_THAT(distance("kind = \"figure\"\nmetric = \"ipc\"\nvariant = \"better\"\nat_most = 6\n"),
              near(0.5));
}

TEST(Claim, HasNoSignIfTheMeasuredGainRoundsToZero) {
  const auto sign = [](double ipc) {
    return verdict_of(kGainOfBfs + "value = 0.0006\n", {1.0, ipc, 1.0, 1.0, 1.0, 1.0}).sign_holds;
  };
  EXPECT_EQ(sign(1.00049), false);
  EXPECT_EQ(sign(1.00051), true);
}

TEST(Claim, IsRoughIfItHoldsMoreThanAQuarterAway) {
  const auto is_rough = [](const std::string& value) {
    return verdict_of(kGainOfBfs + value, kIpcs).is_rough;
  };
  EXPECT_FALSE(is_rough("value = 0.81\n"));
  EXPECT_TRUE(is_rough("value = 0.79\n"));
  EXPECT_FALSE(is_rough("value = 1.24\n"));
  EXPECT_TRUE(is_rough("value = 1.26\n"));
  // It does not hold.
  EXPECT_FALSE(is_rough("value = 2.1\n"));
  EXPECT_FALSE(is_rough("value = 0.79\nwithin = 0.3\n"));
  EXPECT_FALSE(is_rough("at_least = 0.5\n"));
}

TEST(Claim, ShareHoldsWithinTenPointsAndHalfTheDistanceTo0And1) {
  const auto holds = [](double reported, double measured) {
    return verdict_of(
               "kind = \"share\"\nmetric = \"waste\"\nworkload = \"bfs\"\nvariant = "
               "\"better\"\nvalue = " +
                   std::to_string(reported),
               {1.0, 1 / measured, 1.0, 1.0, 1.0, 1.0})
        .holds();
  };
  EXPECT_TRUE(holds(0.95, 0.926));
  EXPECT_FALSE(holds(0.95, 0.924));
  EXPECT_FALSE(holds(0.95, 0.79));
  EXPECT_FALSE(holds(0.95, 0.976));
  EXPECT_TRUE(holds(0.5, 0.401));
  EXPECT_FALSE(holds(0.5, 0.399));
  EXPECT_TRUE(holds(0.04, 0.0599));
  EXPECT_FALSE(holds(0.04, 0.0601));
}

TEST(Claim, HasADistanceWhetherOrNotItHolds) {
  EXPECT_THAT(verdict_of("kind = \"gain\"\nvariant = \"better\"\nvalue = 2.5\n", kIpcs).distance,
              near(0.5));
  EXPECT_THAT(verdict_of("kind = \"saving\"\nvariant = \"worse\"\nvalue = 0.75\n", kIpcs).distance,
              near(-0.25));
  // The mean of 2 and 16 is 9, which is 1.5 times 6.
  EXPECT_THAT(
      verdict_of("kind = \"figure\"\nmetric = \"ipc\"\nvariant = \"better\"\nvalue = 6\n", kIpcs)
          .distance,
      near(0.5));
  // Values 0.5, 1 and 4: the smallest step is from 0.5 to 1, or in reverse order from 4 to 1.
  EXPECT_THAT(
      verdict_of("kind = \"order\"\norder = [\"worse\", \"base\", \"better\"]\n", kIpcs).distance,
      near(1));
  EXPECT_THAT(
      verdict_of("kind = \"order\"\norder = [\"better\", \"base\", \"worse\"]\n", kIpcs).distance,
      near(-0.75));
}

TEST(Claim, OrderHoldsIfEachValueExceedsThePrevious) {
  const auto order = [](const char* names) {
    return verdict_of(std::string("kind = \"order\"\norder = ") + names + "\n", kIpcs);
  };
  const ClaimVerdict right = order("[\"worse\", \"base\", \"better\"]");
  EXPECT_TRUE(right.holds());
  EXPECT_THAT(right.ordered_values, ElementsAre(near(0.5), near(1), near(4)));
  EXPECT_EQ(order("[\"base\", \"worse\", \"better\"]").order_holds, false);
  EXPECT_EQ(order("[\"base\", \"base\"]").order_holds, false);
}

TEST(Claim, OrderMayDivideEachVariantByAnother) {
  const auto order = [](const char* names, const char* bases) {
    return verdict_of(std::string("kind = \"order\"\nworkload = \"scan\"\norder = ") + names +
                          "\nrelative_to = " + bases + "\n",
                      kIpcs);
  };
  // The IPC of scan is 2, 16 and 1 on base, better and worse.
  const ClaimVerdict right = order("[\"base\", \"better\"]", "[\"worse\", \"base\"]");
  EXPECT_TRUE(right.holds());
  EXPECT_THAT(right.ordered_values, ElementsAre(near(2), near(8)));
  EXPECT_FALSE(order("[\"base\", \"better\"]", "[\"worse\", \"better\"]").holds());
}

const std::string kBest =
    "[[variant]]\nname = \"best\"\nbest_of = [\"worse\", \"better\", \"base\"]\n";
// bfs is fastest on "better", scan on "base".
const std::vector<std::optional<double>> kMixedIpcs{1.0, 2.0, 0.5, 2.0, 1.0, 0.5};

TEST(BestOf, SelectsTheHighestValueInEachRow) {
  const Table table = make_table(Study(kMixedIpcs, kBest).seeds);
  EXPECT_THAT(table.rows[0].values, ElementsAre(near(1), near(2), near(0.5), near(2)));
  EXPECT_THAT(table.rows[1].values, ElementsAre(near(1), near(0.5), near(0.25), near(1)));
  EXPECT_THAT(table.rows[0].best, ElementsAre("", "", "", "better"));
  EXPECT_THAT(table.rows[1].best, ElementsAre("", "", "", "base"));
  // This is the mean of the best values, sqrt(2). The best of the variants' means would be 1.
  EXPECT_THAT(table.means[2].values[3], near(std::sqrt(2.0)));
}

TEST(BestOf, SelectsTheLowestValueIfLowerIsBetter) {
  Study study(kMixedIpcs, kBest);
  study.experiment.lower_is_better = true;
  EXPECT_THAT(
      make_table(split_by_seed(study.experiment, Study::cells_of(kMixedIpcs))).rows[0].values[3],
      near(0.5));
}

TEST(BestOf, SelectsTheFirstAmongEquals) {
  const Table table = make_table(Study({1.0, 2.0, 2.0, 2.0, 2.0, 2.0}, kBest).seeds);
  EXPECT_EQ(table.rows[0].best[3], "worse");
}

TEST(BestOf, TakesAllMetricsFromTheSameRun) {
  // The waste is that of the fastest variant, neither the minimum nor the maximum.
  const Study study(kMixedIpcs, kBest);
  const Metric waste("waste");
  EXPECT_THAT(study.seeds.front().value(0, "best", waste, ""), near(0.5));
  EXPECT_THAT(study.seeds.front().value(1, "best", waste, ""), near(0.5));
  EXPECT_THAT(study.seeds.front().value(0, "best", waste, "base"), near(0.5));
}

TEST(BestOf, IsEmptyIfOneCandidateFailed) {
  const Table table = make_table(Study({1.0, 2.0, std::nullopt, 2.0, 1.0, 0.5}, kBest).seeds);
  EXPECT_EQ(table.rows[0].values[3], std::nullopt);
  EXPECT_THAT(table.rows[1].values[3], near(1));
  EXPECT_EQ(table.means[2].values[3], std::nullopt);
}

TEST(BestOf, MayBeTheVariantOfAClaim) {
  const Study study(kMixedIpcs, kBest +
                                    "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"gain\"\n"
                                    "variant = \"best\"\nvalue = 0.4\n");
  const ClaimVerdict verdict = judge(study.experiment.claims.at(0), study.seeds);
  EXPECT_THAT(verdict.measured, near(std::sqrt(2.0) - 1));
  EXPECT_TRUE(verdict.holds());
}

TEST(BestOf, TakesTheChoiceOfAnotherVariant) {
  const std::string choice =
      "[[variant]]\nname = \"fast\"\nbest_of = [\"worse\", \"better\", \"base\"]\n"
      "[[variant]]\nname = \"chosen\"\nbest_of = [\"base\", \"worse\", \"better\"]\n"
      "as_in = \"fast\"\n";
  // bfs is fastest on "better", the second candidate, and scan on "base", the third.
  const Table table = make_table(Study(kMixedIpcs, choice).seeds);
  EXPECT_EQ(table.rows[0].best[4], "worse");
  EXPECT_THAT(table.rows[0].values[4], near(0.5));
  EXPECT_EQ(table.rows[1].best[4], "better");
  EXPECT_THAT(table.rows[1].values[4], near(0.5));
}

TEST(BestOf, IsEmptyIfTheChoiceOfTheOtherVariantIs) {
  const std::string choice =
      "[[variant]]\nname = \"fast\"\nbest_of = [\"worse\", \"base\"]\n"
      "[[variant]]\nname = \"chosen\"\nbest_of = [\"better\", \"base\"]\nas_in = \"fast\"\n";
  const Table table = make_table(Study({1.0, 2.0, std::nullopt, 2.0, 1.0, 0.5}, choice).seeds);
  EXPECT_EQ(table.rows[0].values[4], std::nullopt);
  EXPECT_EQ(table.rows[1].best[4], "base");
}

TEST(Parts, AreMeasuredByCellWithArithmeticMeans) {
  const std::string parts =
      "[chart]\nkind = \"stacked\"\n[[part]]\nname = \"p\"\nmetric = \"ipc\"\n"
      "[[part]]\nname = \"q\"\nmetric = \"waste\"\n";
  const Table table = make_table(Study(kMixedIpcs, kBest + parts).seeds);
  // Parts are never relative to a variant.
  EXPECT_THAT(table.rows[1].parts[0], ElementsAre(near(2), near(0.5)));
  EXPECT_THAT(table.rows[1].parts[3], ElementsAre(near(2), near(0.5)));
  EXPECT_THAT(table.means[2].parts[0], ElementsAre(near(1.5), near(0.75)));
}

/// The verdict on a claim about classes of IPC on the base. By default, bfs has 1 and scan has 2.
ClaimVerdict verdict_on_classes(const std::string& bounds, const std::string& expected,
                                std::vector<std::optional<double>> ipcs = kMixedIpcs) {
  return verdict_of(
      "kind = \"classes\"\nmetric = \"ipc\"\nvariant = \"base\"\n"
      "names = [\"low\", \"medium\", \"high\"]\nbounds = " +
          bounds + "\nexpected = " + expected + "\n",
      std::move(ipcs));
}

TEST(Claim, ClassesHoldIfAllRowsAreInTheirs) {
  const ClaimVerdict right = verdict_on_classes("[1.5, 3]", "{ bfs = \"low\", scan = \"medium\" }");
  EXPECT_EQ(right.classes_hold, true);
  EXPECT_TRUE(right.holds());
  EXPECT_EQ(right.magnitude_holds, std::nullopt);
  const ClaimVerdict wrong = verdict_on_classes("[1.5, 3]", "{ bfs = \"low\", scan = \"high\" }");
  EXPECT_FALSE(wrong.holds());
  ASSERT_EQ(wrong.classed_rows.size(), 2U);
  EXPECT_TRUE(wrong.classed_rows[0].agrees());
  EXPECT_FALSE(wrong.classed_rows[1].agrees());
  EXPECT_EQ(wrong.classed_rows[1].measured, "medium");
  EXPECT_THAT(right.distance, near(0));
  EXPECT_THAT(wrong.distance, near(0.5));
  EXPECT_THAT(wrong.classed_rows[1].value, near(2));
}

TEST(Claim, ClassesPutAValueAtABoundIntoTheUpperClass) {
  EXPECT_TRUE(verdict_on_classes("[1, 2]", "{ bfs = \"medium\", scan = \"high\" }").holds());
}

TEST(Claim, ClassesIgnoreRowsThatAreNotNamed) {
  EXPECT_EQ(verdict_on_classes("[1.5, 3]", "{ scan = \"medium\" }").classed_rows.size(), 1U);
}

TEST(Claim, ClassesAreNotJudgedIfARowIsMissingAndTheOthersAgree) {
  const std::vector<std::optional<double>> failed{std::nullopt, 2.0, 0.5, 2.0, 1.0, 0.5};
  const ClaimVerdict unknown =
      verdict_on_classes("[1.5, 3]", "{ bfs = \"low\", scan = \"medium\" }", failed);
  EXPECT_EQ(unknown.classes_hold, std::nullopt);
  EXPECT_FALSE(unknown.is_judged());
  EXPECT_FALSE(unknown.holds());
  EXPECT_EQ(
      verdict_on_classes("[1.5, 3]", "{ bfs = \"low\", scan = \"low\" }", failed).classes_hold,
      false);
}

TEST(ClaimText, NamesRowsOutsideTheirClass) {
  const ClaimVerdict verdict = verdict_on_classes("[1.5, 3]", "{ bfs = \"low\", scan = \"high\" }");
  EXPECT_EQ(disagreement_text(verdict.classed_rows[1]), "scan: medium (2), reported high");
}

TEST(ClaimText, IsShort) {
  Claim claim{.kind = Gain{{.least = -0.0001, .most = -0.0001}}};
  EXPECT_EQ(reported_text(claim), "+0.0 %");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  claim.kind = Gain{{.least = -0.01, .most = kInfinity}};
  EXPECT_EQ(reported_text(claim), "at least -1.0 %");
  claim.kind = Share{{.least = -kInfinity, .most = 0.2}};
  EXPECT_EQ(reported_text(claim), "at most 20.0 %");
  claim.kind = Share{{.least = 0.1, .most = 0.2}};
  EXPECT_EQ(reported_text(claim), "10.0 % to 20.0 %");
  claim.kind = Gain{{.least = 0.05, .most = 0.05}};
  EXPECT_EQ(reported_text(claim), "+5.0 %");
  EXPECT_EQ(measured_text(claim, {.measured = -0.123}), "-12.3 %");
  EXPECT_EQ(measured_text(claim, {}), "-");
  EXPECT_EQ(distance_text(claim, {.distance = 0.0123}), "+1.2 points");
  EXPECT_EQ(distance_text(claim, {}), "-");
  claim.kind = Order{.variants = {"a", "b"}};
  EXPECT_EQ(reported_text(claim), "a < b");
  EXPECT_EQ(distance_text(claim, {.distance = -0.02}), "-2.0 %");
  EXPECT_EQ(measured_text(claim, {.ordered_values = {1.5, std::nullopt}}), "1.5, -");
  claim.kind = Classes{.expected = {{"a", "x"}, {"b", "x"}}};
  EXPECT_EQ(reported_text(claim), "2 in classes");
  EXPECT_EQ(measured_text(claim, {.classed_rows = {{"a", "x", 1, "x"}, {"b", "x", 2, "y"}}}),
            "1 of 2 agree");
}

TEST(FigureText, HasFourSignificantDigits) {
  EXPECT_EQ(figure_text(std::nullopt, true), "-");
  EXPECT_EQ(figure_text(1.05, true), "1.050");
  EXPECT_EQ(figure_text(0.123456, false), "0.1235");
  EXPECT_EQ(figure_text(123456.7, false), "123457");
}

TEST(Claim, IsNotJudgedIfNotMeasured) {
  const ClaimVerdict verdict = verdict_of("kind = \"gain\"\nvariant = \"better\"\nvalue = 3\n",
                                          {1.0, std::nullopt, 0.5, 2.0, 16.0, 1.0});
  EXPECT_EQ(verdict.measured, std::nullopt);
  EXPECT_EQ(verdict.sign_holds, std::nullopt);
  EXPECT_FALSE(verdict.holds());
}

}  // namespace
}  // namespace heddle::lab
