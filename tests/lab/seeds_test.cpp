#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lab/claim_text.h"
#include "lab/judged_claim.h"
#include "measured_study.h"

namespace heddle::lab {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

// On bfs, the better variant has 2 times the IPC of the base with the first seed, and 8 times with
// the second. On scan, it has 2 times with both.
const std::vector<std::optional<double>> kTwoSeeds{1.0, 2.0, 0.5, 1.0, 2.0, 0.5,
                                                   1.0, 8.0, 0.5, 1.0, 2.0, 0.5};
const std::string kGain =
    "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"gain\"\nvariant = \"better\"\n";

/// The verdicts on the first claim of an experiment with the given claims.
JudgedClaim judge_first(const std::string& claim, const std::vector<std::optional<double>>& ipcs) {
  const Study study(ipcs, claim);
  return judge_claim(study.experiment.claims.at(0), study.seeds);
}

TEST(Seeds, AreAveragedAfterNormalisingEach) {
  const Table table = make_table(Study(kTwoSeeds).seeds);
  EXPECT_THAT(table.rows[0].values, ElementsAre(near(1), near(4), near(0.5)));
  EXPECT_THAT(table.rows[1].values, ElementsAre(near(1), near(2), near(0.5)));
  // The geometric mean of the rows is 2 with the first seed and 4 with the second. The table shows
  // the geometric mean of these two.
  EXPECT_THAT(table.means[2].values[1], near(std::sqrt(8)));
}

TEST(Seeds, YieldASpreadForEachCellAndMean) {
  const Table table = make_table(Study(kTwoSeeds).seeds);
  ASSERT_TRUE(table.rows[0].spreads[1]);
  EXPECT_DOUBLE_EQ(table.rows[0].spreads[1]->least, 2);
  EXPECT_DOUBLE_EQ(table.rows[0].spreads[1]->most, 8);
  EXPECT_DOUBLE_EQ(table.means[2].spreads[1]->least, 2);
  EXPECT_DOUBLE_EQ(table.means[2].spreads[1]->most, 4);
}

TEST(Seeds, KeepASingleValueToTheBitWithoutSpread) {
  const std::vector<std::optional<double>> one{1.0, 1.1, 0.3, 1.0, 0.7, 0.9};
  const Study study(one, kGain + "value = 0.1\n");
  const Table table = make_table(study.seeds);
  EXPECT_THAT(table.rows[0].values, ElementsAre(Optional(1.0), Optional(1.1), Optional(0.3)));
  EXPECT_EQ(table.rows[0].spreads[1], std::nullopt);
  const JudgedClaim claim = judge_claim(study.experiment.claims.at(0), study.seeds);
  EXPECT_THAT(claim.by_seed, IsEmpty());
  EXPECT_FALSE(claim.depends_on_seed());
  EXPECT_EQ(claim.holds(), claim.verdict.holds());
}

TEST(Seeds, LeaveACellEmptyIfOneSeedIsMissing) {
  std::vector<std::optional<double>> ipcs = kTwoSeeds;
  ipcs[7] = std::nullopt;
  const Table table = make_table(Study(ipcs).seeds);
  EXPECT_EQ(table.rows[0].values[1], std::nullopt);
  EXPECT_EQ(table.rows[0].spreads[1], std::nullopt);
  EXPECT_EQ(table.means[2].values[1], std::nullopt);
  EXPECT_THAT(table.rows[1].values[1], near(2));
  EXPECT_THAT(table.rows[0].values[2], near(0.5));
}

TEST(Seeds, HaveTheirOwnBestOfVariant) {
  const Table table =
      make_table(Study({1.0, 2.0, 0.5, 1.0, 2.0, 0.5, 1.0, 0.5, 4.0, 1.0, 2.0, 0.5},
                       "[[variant]]\nname = \"best\"\nbest_of = [\"worse\", \"better\"]\n")
                     .seeds);
  EXPECT_THAT(table.rows[0].values[3], near(std::sqrt(8)));
  EXPECT_EQ(table.rows[0].best[3], "better / worse");
  EXPECT_EQ(table.rows[1].best[3], "better");
}

TEST(Seeds, ConfirmAClaimIfAllAgree) {
  // The gain is 1 with the first seed, 3 with the second, and 1.83 for their mean.
  const JudgedClaim claim = judge_first(kGain + "value = 1.7\n", kTwoSeeds);
  EXPECT_THAT(claim.verdict.measured, near(std::sqrt(8) - 1));
  EXPECT_EQ(claim.holding_seeds(), 2U);
  EXPECT_FALSE(claim.depends_on_seed());
  EXPECT_TRUE(claim.holds());
  EXPECT_THAT(claim.spread()->least, DoubleEq(1));
  EXPECT_THAT(claim.spread()->most, DoubleEq(3));
}

TEST(Seeds, RefuteAClaimIfOneDisagrees) {
  // A claim holds from half to twice the reported 2.5: for the mean (1.83) and the second seed (3),
  // but not for the first seed (1).
  const JudgedClaim claim = judge_first(kGain + "value = 2.5\n", kTwoSeeds);
  EXPECT_TRUE(claim.verdict.holds());
  EXPECT_EQ(claim.holding_seeds(), 1U);
  EXPECT_TRUE(claim.depends_on_seed());
  EXPECT_FALSE(claim.holds());
  EXPECT_EQ(seeds_text(claim), "holds for 1 of 2 seeds");
}

TEST(Seeds, RefuteAClaimThatHoldsForTheMeanOnly) {
  const JudgedClaim claim = judge_first(kGain + "value = 1.8\nwithin = 0.1\n", kTwoSeeds);
  EXPECT_TRUE(claim.verdict.holds());
  EXPECT_EQ(seeds_text(claim), "holds for 0 of 2 seeds");
  EXPECT_FALSE(claim.holds());
}

TEST(Seeds, NeedNoNoteIfAllRefuteAClaim) {
  const JudgedClaim claim = judge_first(kGain + "value = 20\n", kTwoSeeds);
  EXPECT_FALSE(claim.depends_on_seed());
  EXPECT_EQ(seeds_text(claim), "");
}

TEST(Seeds, GiveASpreadOfTheDistanceOfAnOrder) {
  const Study study(kTwoSeeds,
                    "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
                    "order = [\"base\", \"better\"]\n");
  const Claim& claim = study.experiment.claims.at(0);
  const JudgedClaim judged = judge_claim(claim, study.seeds);
  EXPECT_THAT(judged.verdict.ordered_values, ElementsAre(near(1), near(std::sqrt(8))));
  EXPECT_EQ(spread_text(claim, judged), "+100.0 % to +300.0 %");
}

TEST(Seeds, GiveASpreadOfTheMeasuredValueOfAGain) {
  const Study study(kTwoSeeds, kGain + "value = 2\n");
  const Claim& claim = study.experiment.claims.at(0);
  EXPECT_EQ(spread_text(claim, judge_claim(claim, study.seeds)), "+100.0 % to +300.0 %");
}

TEST(Seeds, AverageAClaimAboutAWorkloadByItsMean) {
  const JudgedClaim claim = judge_first(kGain + "workload = \"bfs\"\nvalue = 3\n", kTwoSeeds);
  EXPECT_THAT(claim.verdict.measured, near(3));
}

}  // namespace
}  // namespace heddle::lab
