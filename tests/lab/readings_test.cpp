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
  EXPECT_EQ(reported.least, 5);
  EXPECT_EQ(reported.tolerance, 0.5);
  EXPECT_EQ(reported_value(claim.kind)->least, 3);
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

TEST(Claim, SaysThatItHoldsFarFromTheReportedNumber) {
  EXPECT_THAT(notes("[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"gain\"\n"
                    "variant = \"better\"\nvalue = 2\n"),
              ElementsAre("differs by more than a quarter"));
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

constexpr const char* kSmallCacheForAll =
    "[[reading]]\ntext = \"a small cache\"\nset = [\"l1.bytes=16K\"]\n";

TEST(Reading, WithSettingsRunsHiddenCopiesOfTheClaimsVariants) {
  const Experiment experiment = read_experiment(
      kStudy +
          std::string("set = [\"l1.ways=2\"]\n[[variant]]\nname = \"best\"\n"
                      "best_of = [\"better\", \"worse\"]\n[[claim]]\nid = \"c\"\n"
                      "text = \"t\"\nkind = \"gain\"\nvariant = \"best\"\nvalue = 3\n") +
          kSmallCacheForAll,
      "study", "study.toml");
  const Claim& reading = experiment.claims.at(0).readings.at(0);
  EXPECT_EQ(reading.text, "a small cache");
  EXPECT_EQ(reading.id, "");
  EXPECT_EQ(reading.relative_to, "base, a small cache");
  EXPECT_EQ(variant_of(reading.kind), "best, a small cache");
  const auto variant = [&](const char* name) {
    return experiment.variants[experiment.variant_index(name)];
  };
  EXPECT_THAT(variant("best, a small cache").best_of,
              ElementsAre("better, a small cache", "worse, a small cache"));
  EXPECT_TRUE(variant("best, a small cache").is_hidden);
  EXPECT_THAT(variant("worse").settings, ElementsAre("l1.ways=2"));
  EXPECT_THAT(variant("worse, a small cache").settings, ElementsAre("l1.ways=2", "l1.bytes=16K"));
  EXPECT_TRUE(variant("worse, a small cache").is_hidden);
}

TEST(Reading, WithSettingsCopiesSubstitutesAndTheBasesOfAnOrder) {
  const std::string row = "[[workload]]\nname = \"fft\"\nsubstitute = { worse = \"better\" }\n";
  const Experiment experiment =
      read_experiment(kStudy + row +
                          "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\n"
                          "order = [\"worse\", \"better\"]\nrelative_to = [\"base\", \"worse\"]\n" +
                          kSmallCacheForAll,
                      "study", "study.toml");
  const Claim& reading = experiment.claims.at(0).readings.at(0);
  EXPECT_THAT(std::get<Order>(reading.kind).relative_to,
              ElementsAre("base, a small cache", "worse, a small cache"));
  const std::string* const shown = experiment.rows.back().substitute_of("worse, a small cache");
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(*shown, "better, a small cache");
}

TEST(Reading, WithSettingsAppliesToEveryClaim) {
  // Each row: base, better, worse, then the copies of base and better in the order of their use.
  const Study study({1.0, 2.0, 0.5, 1.0, 3.0, 2.0, 16.0, 1.0, 2.0, 6.0},
                    gain("3") +
                        "[[claim]]\nid = \"d\"\ntext = \"t\"\nkind = \"order\"\n"
                        "order = [\"base\", \"better\"]\nworkload = \"bfs\"\n" +
                        kSmallCacheForAll);
  const auto notes_of_claim = [&](std::size_t claim) {
    const Claim& read = study.experiment.claims.at(claim);
    return notes_of(read, judge_claim(read, study.seeds));
  };
  EXPECT_EQ(study.experiment.variants.size(), 5U);
  EXPECT_THAT(notes_of_claim(0), ElementsAre("holds only as it is read here",
                                             "does not hold as a small cache (+200.0 %)"));
  EXPECT_THAT(notes_of_claim(1), ElementsAre("also holds as a small cache (1, 3)"));
}

TEST(ReadingErrors, RequireThatAReadingWithSettingsNamesNewVariants) {
  EXPECT_THAT(
      error_of("[[variant]]\nname = \"better, a small cache\"\n" + gain("3") + kSmallCacheForAll),
      HasSubstr("there is another variant 'better, a small cache'"));
  EXPECT_THAT(error_of(gain("3") + kSmallCacheForAll + kSmallCacheForAll),
              HasSubstr("there is another variant 'base, a small cache'"));
}

TEST(ReadingErrors, RejectSettingsBesideMachinesForProgramsAlone) {
  EXPECT_THAT(error_of("[[alone]]\n" + gain("3") + kSmallCacheForAll),
              HasSubstr("cannot change the machines of [[alone]]"));
}

TEST(ReadingErrors, RequireAMeanOrSettingsInTheExperimentsReadings) {
  EXPECT_THAT(error_of(gain("3") + "[[reading]]\ntext = \"t\"\n"),
              HasSubstr("must have a 'mean' or a 'set'"));
  EXPECT_THAT(error_of(gain("3") + "[[reading]]\ntext = \"t\"\nmean = \"geometric\"\n"
                                   "set = [\"l1.bytes=16K\"]\n"),
              HasSubstr("must have a 'mean' or a 'set'"));
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
