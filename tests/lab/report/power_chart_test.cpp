#include "lab/report/power_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace heddle::lab::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

PowerChart::Stretch stretch(std::uint64_t begin, std::uint64_t end, std::vector<double> watts) {
  return {.begin = Cycle(begin), .end = Cycle(end), .watts = std::move(watts)};
}

/// 10 W (4 W of leakage) in the first half of the time, then 20 W.
PowerChart chart() {
  return {.title = "Power of a <chip>",
          .subtitle = "15 W on average",
          .parts = {"leakage", "core"},
          .stretches = {stretch(0, 500, {4, 6}), stretch(500, 1000, {4, 16})},
          .launches = {{.kernel = "first & only", .begin = Cycle(0), .end = Cycle(1000)}}};
}

// The plot is 820 by 260 px. Its values range from 0 to 20 W, and its time from 0 to 1000 cycles.

TEST(PowerChart, StacksPartsInStepsOverTime) {
  const std::string svg = draw_power(chart());
  EXPECT_THAT(svg, HasSubstr("\"M0,208V208H410V208H820V260H410V260H0Z\""));
  EXPECT_THAT(svg, HasSubstr("\"M0,130V130H410V0H820V208H410V208H0Z\""));
  EXPECT_LT(svg.find("<title>leakage"), svg.find("<title>core"));
}

TEST(PowerChart, LeavesGapsWhereNothingRan) {
  PowerChart with_gap = chart();
  with_gap.stretches[0].end = Cycle(250);
  EXPECT_THAT(draw_power(with_gap),
              HasSubstr("\"M0,208V208H205V260H0ZM410,208V208H820V260H410Z\""));
}

TEST(PowerChart, MergesShortStretchesAndMarksThePeak) {
  PowerChart chart{.parts = {"all"}};
  for (std::uint64_t i = 0; i < 8200; ++i) {
    chart.stretches.push_back(stretch(i, i + 1, {i == 4105 ? 40.0 : 10.0}));
  }
  const std::string svg = draw_power(chart);
  EXPECT_LT(svg.size(), 60000U);
  // The mark is at the peak: at its time, and at the top of the plot.
  EXPECT_THAT(svg, HasSubstr("\"M410.55,-2l"));
}

TEST(PowerChart, IsSelfContainedAndLightOrDark) {
  const std::string svg = draw_power(chart());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, AllOf(HasSubstr("prefers-color-scheme: dark"), HasSubstr(".peak {")));
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("<chip>")), HasSubstr("first &amp; only")));
}

TEST(PowerChart, ShowsOnlyTheTitleIfEmpty) {
  const std::string svg = draw_power({.title = "Power", .subtitle = "nothing was launched"});
  EXPECT_THAT(svg, AllOf(HasSubstr("nothing was launched"), Not(HasSubstr("<path"))));
}

}  // namespace
}  // namespace heddle::lab::report
