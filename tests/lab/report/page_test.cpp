#include "lab/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reported_study.h"

namespace heddle::lab::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Page, ContainsTheStudy) {
  const std::string html = page({reported_study()});
  EXPECT_THAT(html, AllOf(HasSubstr("A study"), HasSubstr("A paper, Figure 1"),
                          HasSubstr("heddle experiment folder/study"), HasSubstr("chip.sms"),
                          HasSubstr("schedule.policy=b"), HasSubstr("y=2"),
                          HasSubstr("1 of 3 claims hold"), HasSubstr("2026-01-02T03:04:05Z")));
  EXPECT_THAT(html, HasSubstr("the best of base, tried in each row"));
  EXPECT_THAT(html, HasSubstr("<li>bfs: low (1), reported high</li>"));
  EXPECT_THAT(html, HasSubstr("needle: not measured, reported low"));
}

TEST(Page, MarksVerdictsThatDependOnTheSeed) {
  const std::string html = page({seeded_study()});
  EXPECT_THAT(html, AllOf(HasSubstr("✗ holds for 1 of 2 seeds"), HasSubstr("0 of 3 claims hold"),
                          HasSubstr("seeds: +10.0 % to +70.0 %"), HasSubstr("0.250 to 0.750"),
                          HasSubstr("1 and those after it, 2 in all")));
}

TEST(Page, MarksClaimsThatHoldOnlyAsRead) {
  const std::string html = page({read_study(with_reading(study_json()), "s.json")});
  EXPECT_THAT(html, AllOf(HasSubstr("✓ holds only as read here"), HasSubstr("1 of 3 claims hold"),
                          HasSubstr("<li>does not hold as the arithmetic mean (+5.0 %)</li>")));
}

TEST(Page, JudgesNoClaimOfAChangedMachine) {
  const std::string html =
      page({read_study(study_json("\"seed\": 1", "\"seed\": 1, \"set\": [\"l1.ways=8\"]"), "s")});
  EXPECT_THAT(html, AllOf(HasSubstr("✓ on another machine"), HasSubstr("✗ on another machine"),
                          HasSubstr("3 claims are about other machines"), HasSubstr("l1.ways=8"),
                          Not(HasSubstr("does not hold"))));
}

TEST(Page, IsDeterministic) { EXPECT_EQ(page({reported_study()}), page({reported_study()})); }

TEST(Page, EscapesMarkupInItsInput) {
  const std::string evil = "<script>alert(1)</script>";
  const Study study = read_study(study_json("A study", evil), "x.json");
  const std::string html = page({study});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(Page, GivesStudiesOfTheSameNameDifferentLinks) {
  const std::string html = page({reported_study(), reported_study()});
  EXPECT_THAT(
      html, AllOf(HasSubstr("id=\"study-folder-study\""), HasSubstr("id=\"study-folder-study-2\""),
                  HasSubstr("href=\"#study-folder-study-2\""), HasSubstr("2 of 6 claims hold")));
}

TEST(Page, StatesIfNothingWasMeasured) {
  Study study = reported_study();
  for (StudyRow& row : study.rows) row.values = {std::nullopt, std::nullopt};
  study.means[0].values = {std::nullopt, std::nullopt};
  EXPECT_THAT(page({study}), HasSubstr("Nothing was measured"));
}

}  // namespace
}  // namespace heddle::lab::report
