#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "lab/claim_text.h"
#include "lab/judged_claim.h"
#include "measured_study.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The better variant gains 1 on bfs and 7 on scan (2 and 8 times the IPC of the base). The
// geometric mean of its ratios, 4, is a gain of 3; the arithmetic mean, 5, is a gain of 4.
const std::vector<std::optional<double>> kIpcs{1.0, 2.0, 0.5, 2.0, 16.0, 1.0};

/// A claim about the gain of the better variant.
std::string gain(const std::string& value) {
  return "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"gain\"\nvariant = \"better\"\nvalue = " +
         value + "\nwithin = 0.5\n";
}
const std::string kArithmetic =
    "[[claim.reading]]\ntext = \"the arithmetic mean\"\nmean = \"arithmetic\"\n";

std::vector<std::string> notes(const std::string& claim, Readings readings = Readings::all) {
  const Study study(kIpcs, claim);
  const Claim& read = study.experiment.claims.at(0);
  return notes_of(read, judge_claim(read, study.seeds), readings);
}

std::string error_of(const std::string& claim) {
  try {
    read_experiment(kStudy + claim, "study", "study.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Reading, InheritsUnchangedKeysFromItsClaim) {
  const Study study(kIpcs, gain("3") + "group = \"low\"\n" + kArithmetic + "value = 5\n");
  const Claim& claim = study.experiment.claims.at(0);
  ASSERT_EQ(claim.readings.size(), 1U);
  const Claim& reading = claim.readings[0];
  EXPECT_EQ(reading.text, "the arithmetic mean");
  EXPECT_EQ(reading.id, "");
  const ReportedValue& reported = *reported_value(reading.kind);
  EXPECT_EQ(reported.variant, "better");
  EXPECT_EQ(reported.rows.group, "low");
  EXPECT_EQ(reported.rows.mean, Mean::arithmetic);
  EXPECT_EQ(reported.value, 5);
  EXPECT_EQ(reported.tolerance, 0.5);
  EXPECT_EQ(reported_value(claim.kind)->value, 3);
}

TEST(Reading, DoesNotDecideWhetherTheClaimHolds) {
  const Study study(kIpcs, gain("4") + kArithmetic);
  const JudgedClaim judged = judge_claim(study.experiment.claims.at(0), study.seeds);
  EXPECT_FALSE(judged.holds());
  ASSERT_EQ(judged.readings.size(), 1U);
  EXPECT_THAT(judged.readings[0].verdict.measured, near(4));
  EXPECT_TRUE(judged.readings[0].holds());
}

TEST(Reading, IsNamedIfTheClaimWouldHoldInIt) {
  EXPECT_THAT(notes(gain("4") + kArithmetic),
              ElementsAre("would hold as the arithmetic mean (+400.0 %)"));
}

TEST(Reading, IsNamedIfOnlyTheClaimItselfHolds) {
  EXPECT_THAT(notes(gain("3") + kArithmetic),
              ElementsAre("holds only as it is read here",
                          "does not hold as the arithmetic mean (+400.0 %)"));
}

TEST(Reading, DoesNotStandAloneIfAnotherReadingHolds) {
  EXPECT_THAT(notes(gain("3") + kArithmetic + "[[claim.reading]]\ntext = \"less\"\nvalue = 2.6\n"),
              ElementsAre("does not hold as the arithmetic mean (+400.0 %)",
                          "also holds as less (+300.0 %)"));
}

TEST(Reading, IsOmittedWithTheSameVerdictOnRequest) {
  const auto others = [](const std::string& claim) {
    return notes(claim, Readings::with_another_verdict);
  };
  EXPECT_THAT(others(gain("9") + kArithmetic), IsEmpty());
  EXPECT_THAT(others(gain("4") + kArithmetic),
              ElementsAre("would hold as the arithmetic mean (+400.0 %)"));
}

TEST(Reading, IsShownIfItDoesNotHold) {
  EXPECT_THAT(notes(gain("9") + kArithmetic),
              ElementsAre("does not hold as the arithmetic mean either (+400.0 %)"));
}

TEST(Reading, IsOptional) { EXPECT_THAT(notes(gain("3")), IsEmpty()); }

TEST(Reading, MayChangeTheOrderOfAnOrderClaim) {
  EXPECT_THAT(notes("[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
                    "order = [\"better\", \"base\"]\n"
                    "[[claim.reading]]\ntext = \"the other way round\"\n"
                    "order = [\"base\", \"better\"]\n"),
              ElementsAre("would hold as the other way round (1, 4)"));
}

constexpr const char* kArithmeticOfAll =
    "[[reading]]\ntext = \"the arithmetic mean\"\nmean = \"arithmetic\"\n";

TEST(Reading, AppliesToEveryClaimThatComparesMeansIfStatedByExperiment) {
  EXPECT_THAT(notes(gain("4") + kArithmeticOfAll),
              ElementsAre("would hold as the arithmetic mean (+400.0 %)"));
  EXPECT_THAT(notes("[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
                    "order = [\"base\", \"better\"]\n" +
                    std::string(kArithmeticOfAll)),
              ElementsAre("also holds as the arithmetic mean (1, 5)"));
}

TEST(Reading, SkipsClaimsAboutOneWorkloadIfStatedByExperiment) {
  const std::string row = Study(kIpcs, gain("4")).experiment.rows.front().label;
  EXPECT_THAT(notes(gain("4") + "workload = \"" + row + "\"\n" + kArithmeticOfAll), IsEmpty());
}

TEST(ReadingErrors, RequireAMeanInTheExperimentsReadings) {
  EXPECT_THAT(error_of(gain("3") + "[[reading]]\ntext = \"t\"\n"), HasSubstr("'mean'"));
  EXPECT_THAT(error_of(gain("3") + "[[reading]]\nmean = \"arithmetic\"\n"), HasSubstr("'text'"));
}

TEST(ReadingErrors, GivePositionAndSuggestion) {
  EXPECT_THAT(error_of(gain("3") + "[[claim.reading]]\ntext = \"t\"\nmeen = \"arithmetic\"\n"),
              AllOf(StartsWith("study.toml:"), HasSubstr("unknown key 'meen'"),
                    HasSubstr("did you mean 'mean'?")));
  EXPECT_THAT(error_of(gain("3") + "[[claim.reading]]\ntext = \"t\"\nmean = \"arithmetc\"\n"),
              AllOf(StartsWith("study.toml:27:"), HasSubstr("did you mean 'arithmetic'?")));
  EXPECT_THAT(error_of(gain("3") + "[[claim.reading]]\ntext = \"t\"\nvariant = \"beter\"\n"),
              HasSubstr("did you mean 'better'?"));
  EXPECT_THAT(error_of(gain("3") + "[[claim.reading]]\nmean = \"arithmetic\"\n"),
              AllOf(StartsWith("study.toml:25:"), HasSubstr("'text' is missing")));
}

TEST(ReadingErrors, RejectKeysThatDoNotFitTheKindOfClaim) {
  EXPECT_THAT(
      error_of("[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
               "order = [\"better\", \"base\"]\n"
               "[[claim.reading]]\ntext = \"t\"\nvalue = 3\n"),
      AllOf(StartsWith("study.toml:25:"), HasSubstr("a claim of kind \"order\" has no 'value'")));
  EXPECT_THAT(
      error_of(gain("3") + "[[claim.reading]]\ntext = \"t\"\norder = [\"better\", \"base\"]\n"),
      HasSubstr("only a claim of kind \"order\""));
}

TEST(ReadingErrors, RejectAReadingThatChangesNothing) {
  EXPECT_THAT(error_of(gain("3") + "[[claim.reading]]\ntext = \"t\"\n"),
              HasSubstr("must change at least one key of its claim"));
}

TEST(ReadingErrors, RejectRatioOfSumsOfAbsoluteValues) {
  EXPECT_THAT(error_of("[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"figure\"\nmetric = \"ipc\"\n"
                       "variant = \"better\"\nvalue = 3\nmean = \"ratio-of-sums\"\n"),
              AllOf(StartsWith("study.toml:25:"),
                    HasSubstr("needs values that are relative to a variant")));
}

}  // namespace
}  // namespace heddle::lab
