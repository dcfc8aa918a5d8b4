#include "lab/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/verdict.h"

namespace heddle::lab {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Optional;

constexpr const char* kStudy = R"(title = "t"
machine = "storage"
[[workload]]
name = "bfs"
group = "high"
[[workload]]
name = "scan"
group = "low"
[metric]
name = "ipc"
normalise_to = "base"
[[variant]]
name = "base"
[[variant]]
name = "better"
[[variant]]
name = "worse"
)";

auto near(double value) { return Optional(DoubleNear(value, 1e-12)); }

/// A study of two workloads on three variants, with these ipc, row by row.
struct Study {
  explicit Study(std::vector<std::optional<double>> ipcs, const std::string& more = "")
      : experiment(read_experiment(kStudy + more, "study", "study.toml")),
        measured(experiment, cells_of(ipcs)) {}

  static std::vector<std::optional<Measures>> cells_of(
      const std::vector<std::optional<double>>& ipcs) {
    std::vector<std::optional<Measures>> cells;
    for (const auto& ipc : ipcs) {
      cells.push_back(ipc ? std::optional(Measures({{"ipc", *ipc}, {"waste", 1 / *ipc}}))
                          : std::nullopt);
    }
    return cells;
  }

  Experiment experiment;
  Measured measured;
};

ClaimVerdict verdict_of(const std::string& keys, std::vector<std::optional<double>> ipcs) {
  const Study study(std::move(ipcs), "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys);
  return judge(study.experiment.claims.at(0), study.measured);
}

// Gains of 2 and 8 over the base; their geometric mean is 4.
const std::vector<std::optional<double>> kIpcs{1.0, 2.0, 0.5, 2.0, 16.0, 1.0};

TEST(Mean, IsOfTheKindThatIsAskedFor) {
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::arithmetic), near(7.0 / 3));
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::geometric), near(2));
  EXPECT_THAT(mean_of({1, 2, 4}, Mean::harmonic), near(12.0 / 7));
}

TEST(Mean, IsEmptyWhereItIsNotDefined) {
  EXPECT_EQ(mean_of({}, Mean::arithmetic), std::nullopt);
  EXPECT_EQ(mean_of({1, std::nullopt}, Mean::arithmetic), std::nullopt);
  EXPECT_EQ(mean_of({1, 0}, Mean::geometric), std::nullopt);
  EXPECT_EQ(mean_of({1, -1}, Mean::harmonic), std::nullopt);
  EXPECT_THAT(mean_of({1, -1}, Mean::arithmetic), near(0));
}

TEST(Table, IsRelativeToTheVariantThatIsSaid) {
  const Table table = make_table(Study(kIpcs).measured);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].name, "bfs");
  EXPECT_THAT(table.rows[0].values, ElementsAre(near(1), near(2), near(0.5)));
  EXPECT_THAT(table.rows[1].values, ElementsAre(near(1), near(8), near(0.5)));
}

TEST(Table, HasMeansOfGroupsAndOfAll) {
  const Table table = make_table(Study(kIpcs).measured);
  ASSERT_EQ(table.means.size(), 3U);
  EXPECT_EQ(table.means[0].name, "geometric mean, high");
  EXPECT_EQ(table.means[2].name, "geometric mean");
  EXPECT_THAT(table.means[0].values, ElementsAre(near(1), near(2), near(0.5)));
  EXPECT_THAT(table.means[2].values, ElementsAre(near(1), near(4), near(0.5)));
}

TEST(Table, ACellWithoutARunLeavesItsMeansEmptyAndNoOthers) {
  const Table table = make_table(Study({1.0, std::nullopt, 0.5, 2.0, 16.0, 1.0}).measured);
  EXPECT_EQ(table.rows[0].values[1], std::nullopt);
  EXPECT_EQ(table.means[2].values[1], std::nullopt);
  EXPECT_THAT(table.means[1].values[1], near(8));
  EXPECT_THAT(table.means[2].values[2], near(0.5));
}

TEST(Claim, OfAGainHoldsWithinHalfToTwice) {
  const std::string gain = "kind = \"gain\"\nvariant = \"better\"\n";
  const ClaimVerdict exact = verdict_of(gain + "value = 3.0\n", kIpcs);
  EXPECT_THAT(exact.measured, near(3));
  EXPECT_TRUE(exact.holds());
  EXPECT_EQ(exact.sign, true);
  EXPECT_EQ(exact.order, std::nullopt);
  EXPECT_EQ(verdict_of(gain + "value = 1.51\n", kIpcs).magnitude, true);
  EXPECT_EQ(verdict_of(gain + "value = 1.49\n", kIpcs).magnitude, false);
  EXPECT_EQ(verdict_of(gain + "value = 5.99\n", kIpcs).magnitude, true);
  EXPECT_EQ(verdict_of(gain + "value = 6.01\n", kIpcs).magnitude, false);
}

TEST(Claim, OfAGainThatIsALossHasTheWrongSign) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"gain\"\nvariant = \"worse\"\nvalue = 0.5\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(-0.5));
  EXPECT_EQ(verdict.sign, false);
  EXPECT_FALSE(verdict.holds());
}

TEST(Claim, OfASavingIsWhatIsLess) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"saving\"\nvariant = \"worse\"\nvalue = 0.4\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(0.5));
  EXPECT_TRUE(verdict.holds());
}

TEST(Claim, MayBeAboutAWorkloadAGroupOrAnotherMetricAndVariant) {
  const std::string gain = "kind = \"gain\"\nvariant = \"better\"\nvalue = 1\n";
  EXPECT_THAT(verdict_of(gain + "workload = \"scan\"\n", kIpcs).measured, near(7));
  EXPECT_THAT(verdict_of(gain + "group = \"high\"\n", kIpcs).measured, near(1));
  EXPECT_THAT(verdict_of(gain + "relative_to = \"worse\"\n", kIpcs).measured, near(7));
  EXPECT_THAT(verdict_of(gain + "metric = \"waste\"\n", kIpcs).measured, near(-0.75));
}

TEST(Claim, OfAFigureWithAMetricOfItsOwnIsNotRelative) {
  const ClaimVerdict verdict =
      verdict_of("kind = \"figure\"\nmetric = \"ipc\"\nvariant = \"better\"\nvalue = 9\n", kIpcs);
  EXPECT_THAT(verdict.measured, near(9));
  EXPECT_EQ(verdict.sign, std::nullopt);
  EXPECT_EQ(verdict.magnitude, true);
}

TEST(Claim, WithABoundOfItsOwnIsHeldToThat) {
  const std::string none = "kind = \"gain\"\nvariant = \"base\"\nvalue = 0\nwithin = 0.1\n";
  EXPECT_TRUE(verdict_of(none, kIpcs).holds());
  const std::string share =
      "kind = \"share\"\nmetric = \"waste\"\nworkload = \"bfs\"\nvariant = \"better\"\n";
  EXPECT_TRUE(verdict_of(share + "value = 0.45\nwithin = 0.06\n", kIpcs).holds());
  EXPECT_FALSE(verdict_of(share + "value = 0.45\nwithin = 0.04\n", kIpcs).holds());
}

TEST(Claim, OfAnOrderHoldsWhereEachIsAboveTheOneBefore) {
  const auto order = [](const char* names) {
    return verdict_of(std::string("kind = \"order\"\norder = ") + names + "\n", kIpcs);
  };
  const ClaimVerdict right = order("[\"worse\", \"base\", \"better\"]");
  EXPECT_TRUE(right.holds());
  EXPECT_THAT(right.in_order, ElementsAre(near(0.5), near(1), near(4)));
  EXPECT_EQ(order("[\"base\", \"worse\", \"better\"]").order, false);
  EXPECT_EQ(order("[\"base\", \"base\"]").order, false);
}

TEST(Claim, OfWhatWasNotMeasuredIsNotJudged) {
  const ClaimVerdict verdict = verdict_of("kind = \"gain\"\nvariant = \"better\"\nvalue = 3\n",
                                          {1.0, std::nullopt, 0.5, 2.0, 16.0, 1.0});
  EXPECT_EQ(verdict.measured, std::nullopt);
  EXPECT_EQ(verdict.sign, std::nullopt);
  EXPECT_FALSE(verdict.holds());
}

}  // namespace
}  // namespace heddle::lab
