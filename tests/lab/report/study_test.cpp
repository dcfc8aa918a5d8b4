#include "lab/report/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "lab/report/natural_order.h"
#include "reported_study.h"

namespace heddle::lab::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

TEST(ReportedStudy, ContainsAllThatAReportShows) {
  const Study study = reported_study();
  EXPECT_EQ(study.name, "folder/study");
  EXPECT_EQ(study.value_name(), "speed");
  EXPECT_EQ(study.seed, "1");
  EXPECT_EQ(study.version, "1.2");
  EXPECT_THAT(study.parameters, ElementsAre(Pair("chip.sms", "1"), Pair("l1.present", "true")));
  EXPECT_THAT(study.variants[1].parameters, ElementsAre(Pair("schedule.policy", "b")));
  EXPECT_EQ(study.count_claims().holding, 1U);
  EXPECT_EQ(study.count_claims().judged, 3U);
}

TEST(ReportedStudy, NamesMissingProgramsOfASuite) {
  EXPECT_THAT(reported_study().missing, IsEmpty());
  const Study study =
      read_study(study_json("\"seed\": 1",
                            "\"seed\": 1, \"suite\": {\"name\": \"preexec\", \"missing\": "
                            "[{\"program\": \"LIBOR\"}, {\"program\": \"sad\"}]}"),
                 "s.json");
  EXPECT_THAT(study.missing, ElementsAre("LIBOR", "sad"));
}

TEST(ReportedStudy, JudgesNoClaimsOfAnotherSize) {
  const Study study =
      read_study(study_json("\"seed\": 1", "\"seed\": 1, \"own_sizes\": false"), "s.json");
  const ClaimCount count = study.count_claims();
  EXPECT_EQ(count.judged, 0U);
  EXPECT_EQ(count.holding, 0U);
  EXPECT_EQ(count.other_sizes, 3U);
}

TEST(ClaimsText, CountsClaimsOfOtherSizesSeparately) {
  EXPECT_EQ(claims_text({}), "");
  EXPECT_EQ(claims_text({.judged = 1, .holding = 1}), "1 of 1 claim holds");
  EXPECT_EQ(claims_text({.other_sizes = 1}), "1 claim is about other sizes");
  EXPECT_EQ(claims_text({.judged = 4, .holding = 3, .other_sizes = 2}),
            "3 of 4 claims hold; 2 are about other sizes");
}

TEST(ReportedStudy, JudgesNoClaimsOfAChangedMachine) {
  const Study study =
      read_study(study_json("\"seed\": 1", "\"seed\": 1, \"set\": [\"a=1\"]"), "s.json");
  EXPECT_EQ(study.count_claims().judged, 0U);
  EXPECT_EQ(study.count_claims().other_machines, 3U);
  EXPECT_EQ(claims_text(study.count_claims()), "3 claims are about other machines");
  EXPECT_EQ(claims_text({.other_sizes = 1, .other_machines = 2}),
            "1 claim is about other sizes; 2 are about other machines");
}

TEST(ReportedStudy, HasSpreadsAndVerdictsOverSeveralSeeds) {
  const Study study = seeded_study();
  EXPECT_EQ(study.seeds, "2");
  ASSERT_TRUE(study.rows[0].spreads[1]);
  EXPECT_EQ(study.rows[0].spreads[1]->least, 0.25);
  EXPECT_EQ(study.rows[0].spreads[1]->most, 0.75);
  EXPECT_EQ(study.rows[1].spreads[0], std::nullopt);
  EXPECT_EQ(study.claims[0].judged.holding_seeds(), 1U);
  EXPECT_FALSE(study.claims[0].judged.holds());
  EXPECT_EQ(study.count_claims().holding, 0U);
}

TEST(ReportedStudy, ContainsOtherReadingsOfAClaim) {
  const Study study = read_study(with_reading(study_json()), "s.json");
  const StudyClaim& one = study.claims[0];
  ASSERT_EQ(one.claim.readings.size(), 1U);
  EXPECT_EQ(one.claim.readings[0].text, "the arithmetic mean");
  EXPECT_TRUE(one.judged.holds_only_as_read());
}

TEST(ReportedStudy, HasNoColumnForHiddenVariants) {
  const Study study = reported_study();
  EXPECT_THAT(study.columns, ElementsAre("base", "better"));
  EXPECT_EQ(study.variants.size(), 3U);
  EXPECT_THAT(study.rows[0].values, ElementsAre(1.0, 0.5));
  EXPECT_THAT(study.rows[0].best, ElementsAre("", "tried"));
  EXPECT_THAT(study.rows[2].values, ElementsAre(1.0, std::nullopt));
}

TEST(ReportedStudy, ReadsResultsOfOlderHeddle) {
  const Study study = read_study(
      R"({"schema": "heddle-experiment-2", "experiment": "e", "title": "t", "paper": "",
          "figure": "", "metric": "ipc", "normalised_to": null,
          "variants": [{"name": "v", "machine": "m", "set": []}],
          "rows": [{"label": "bfs", "workload": "bfs", "size": "tiny", "group": "",
                    "values": {"v": 3}}],
          "means": [], "claims": []})",
      "old.json");
  EXPECT_EQ(study.chart.kind, Chart::Kind::bars);
  EXPECT_EQ(study.value_name(), "ipc");
  EXPECT_THAT(study.parameters, IsEmpty());
}

std::string error_of(const std::string& json) {
  try {
    read_study(json, "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReportedStudy, RejectsOtherTextsWithTheFilesName) {
  EXPECT_THAT(error_of("{"),
              AllOf(StartsWith("a.json: "), HasSubstr("not an experiment's result")));
  EXPECT_THAT(error_of("[1]"),
              AllOf(StartsWith("a.json: "), HasSubstr("not an experiment's result")));
  EXPECT_THAT(error_of("{\"schema\": 3}"), StartsWith("a.json: "));
  EXPECT_THAT(error_of("{\"schema\": \"heddle-run-3\"}"),
              AllOf(StartsWith("a.json: "), HasSubstr("'heddle-run-3'")));
  EXPECT_THAT(error_of(study_json("\"better\": 0.5", "\"better\": \"fast\"")),
              StartsWith("a.json: "));
  EXPECT_THAT(error_of(study_json("\"kind\": \"bars\"", "\"kind\": \"bar\"")),
              AllOf(StartsWith("a.json: "), HasSubstr("did you mean 'bars'?")));
  EXPECT_THAT(error_of(study_json("\"better\": 0.5", "\"better\": 1e999")), StartsWith("a.json: "));
  EXPECT_EQ(error_of(study_json()), "");
}

TEST(NaturalOrder, ComparesNumbersWithinNames) {
  EXPECT_TRUE(comes_before("figure-9.json", "figure-10.json"));
  EXPECT_FALSE(comes_before("figure-10.json", "figure-9.json"));
  EXPECT_TRUE(comes_before("figure-2.7", "figure-2.10"));
  EXPECT_TRUE(comes_before("a", "b"));
  EXPECT_TRUE(comes_before("a", "ab"));
  EXPECT_FALSE(comes_before("a", "a"));
  EXPECT_NE(comes_before("a1", "a01"), comes_before("a01", "a1"));
}

}  // namespace
}  // namespace heddle::lab::report
