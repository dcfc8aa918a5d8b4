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

// On bfs the better variant gains 2 with the first seed and 8 with the second; on scan 2 with both.
const std::vector<std::optional<double>> kTwoSeeds{1.0, 2.0, 0.5, 1.0, 2.0, 0.5,
                                                   1.0, 8.0, 0.5, 1.0, 2.0, 0.5};
const std::string kGain =
    "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"gain\"\nvariant = \"better\"\n";

JudgedClaim judged(const std::string& claim, const std::vector<std::optional<double>>& ipcs) {
  const Study study(ipcs, claim);
  return judge_claim(study.experiment.claims.at(0), study.seeds);
}

TEST(Seeds, AreAveragedAfterNormalisingEach) {
  const Table table = make_table(Study(kTwoSeeds).seeds);
  EXPECT_THAT(table.rows[0].values, ElementsAre(near(1), near(4), near(0.5)));
  EXPECT_THAT(table.rows[1].values, ElementsAre(near(1), near(2), near(0.5)));
  // The mean of each seed is 2 or 4; the result is their mean.
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

TEST(Seeds, LeaveACellEmptyIfOneIsMissing) {
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
  // For the seeds alone 1 and 3; for the mean 1.83.
  const JudgedClaim claim = judged(kGain + "value = 1.7\n", kTwoSeeds);
  EXPECT_THAT(claim.verdict.measured, near(std::sqrt(8) - 1));
  EXPECT_EQ(claim.holding_seeds(), 2U);
  EXPECT_FALSE(claim.depends_on_seed());
  EXPECT_TRUE(claim.holds());
  EXPECT_THAT(claim.spread()->least, DoubleEq(1));
  EXPECT_THAT(claim.spread()->most, DoubleEq(3));
}

TEST(Seeds, RefuteAClaimIfOneDisagrees) {
  // The mean and the second seed are within half to twice of 2.5, but the first seed is not.
  const JudgedClaim claim = judged(kGain + "value = 2.5\n", kTwoSeeds);
  EXPECT_TRUE(claim.verdict.holds());
  EXPECT_EQ(claim.holding_seeds(), 1U);
  EXPECT_TRUE(claim.depends_on_seed());
  EXPECT_FALSE(claim.holds());
  EXPECT_EQ(seeds_text(claim), "holds for 1 of 2 seeds");
}

TEST(Seeds, RefuteAClaimIfOnlyTheMeanHolds) {
  const JudgedClaim claim = judged(kGain + "value = 1.8\nwithin = 0.1\n", kTwoSeeds);
  EXPECT_TRUE(claim.verdict.holds());
  EXPECT_EQ(seeds_text(claim), "holds for 0 of 2 seeds");
  EXPECT_FALSE(claim.holds());
}

TEST(Seeds, NeedNoNoteIfAllRefuteAClaim) {
  const JudgedClaim claim = judged(kGain + "value = 20\n", kTwoSeeds);
  EXPECT_FALSE(claim.depends_on_seed());
  EXPECT_EQ(seeds_text(claim), "");
}

TEST(Seeds, SpreadTheDistanceOfAnOrder) {
  const Study study(kTwoSeeds,
                    "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
                    "order = [\"base\", \"better\"]\n");
  const Claim& claim = study.experiment.claims.at(0);
  const JudgedClaim judged = judge_claim(claim, study.seeds);
  EXPECT_THAT(judged.verdict.ordered_values, ElementsAre(near(1), near(std::sqrt(8))));
  EXPECT_EQ(spread_text(claim, judged), "+100.0 % to +300.0 %");
}

TEST(Seeds, SpreadTheMeasuredValueOfAGain) {
  const Study study(kTwoSeeds, kGain + "value = 2\n");
  const Claim& claim = study.experiment.claims.at(0);
  EXPECT_EQ(spread_text(claim, judge_claim(claim, study.seeds)), "+100.0 % to +300.0 %");
}

TEST(Seeds, AverageAClaimAboutAWorkloadByItsMean) {
  const JudgedClaim claim = judged(kGain + "workload = \"bfs\"\nvalue = 3\n", kTwoSeeds);
  EXPECT_THAT(claim.verdict.measured, near(3));
}

}  // namespace
}  // namespace heddle::lab
