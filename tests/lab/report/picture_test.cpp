#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lab/report/bar_layout.h"
#include "lab/report/draw.h"
#include "lab/report/frame.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"
#include "reported_study.h"

namespace heddle::lab::report {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

auto near(double value) { return DoubleNear(value, 1e-9); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

/// The study with stacks of two parts. The last part of the base on bfs is missing.
Study stacked_study() {
  Study study = reported_study();
  study.chart.kind = Chart::Kind::stacked;
  study.parts = {{"idle", "i"}, {"busy", "b"}};
  for (StudyRow& row : study.rows) row.parts = {{0.25, 0.75}, {0.5, 0.5}};
  study.means[0].parts = {{0.25, 0.75}, {0.5, 0.5}};
  study.rows[0].parts[0][1] = std::nullopt;
  return study;
}

TEST(Markup, EscapesSpecialCharacters) {
  EXPECT_EQ(text("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(text("</script><script>"), "&lt;/script&gt;&lt;script&gt;");
  EXPECT_EQ(text("\xc3\xa9\t\n"), "\xc3\xa9\t\n");
  EXPECT_EQ(text(std::string("a\0b\x1b\x7f", 5)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Markup, EscapesQuotesInAttributes) {
  EXPECT_EQ(element("p", {{"title", "\" onclick=\"x"}}, "<b>"),
            "<p title=\"&quot; onclick=&quot;x\"><b></p>");
  EXPECT_EQ(leaf("rect", {{"x", "1"}}), "<rect x=\"1\"/>");
}

TEST(Markup, WritesLengthsToAHundredth) {
  EXPECT_EQ(length(1.005), "1");
  EXPECT_EQ(length(2.346), "2.35");
  EXPECT_EQ(length(-0.001), "0");
  EXPECT_EQ(length(880), "880");
}

TEST(BarLayout, FillsThePlotWithGapsBetweenGroups) {
  // Each of 4 groups (3 rows, 1 mean) has 950 / 4 = 237.5 px. Two bars in 78 % of that would be
  // 92.6 px wide; the maximum is 44 px. A group is therefore 88 px wide, and the gap to the next is
  // 1.2 times that.
  const BarLayout layout = lay_out_bars(3, 1, 2);
  EXPECT_THAT(layout.bar_width, near(44));
  EXPECT_THAT(layout.group_lefts, ElementsAre(near(52.8), near(246.4), near(440), near(647.6)));
  EXPECT_THAT(layout.bar_left(1, 1), near(290.4));
  EXPECT_THAT(layout.separator_position, near(587.8));
  EXPECT_THAT(layout.plot_width, near(788.4));
}

TEST(BarLayout, GrowsWiderThanAPageWithManyBars) {
  // Each of 20 groups has 950 / 20 = 47.5 px. Eight bars in 78 % of that would be 4.6 px wide; the
  // minimum is 7 px.
  const BarLayout layout = lay_out_bars(19, 1, 8);
  EXPECT_THAT(layout.bar_width, near(7));
  EXPECT_THAT(layout.group_lefts[1] - layout.group_lefts[0], near(66));
  EXPECT_THAT(layout.plot_width, near(20 * 66 + 14));
}

TEST(Bars, AreAsHighAsTheirValues) {
  // The axis maps 0 to 2 onto 260 px: a value of 0.5 is 65 px high, and its top is 195 px below the
  // plot's top.
  const std::string svg = draw_bars(reported_study());
  EXPECT_THAT(svg, HasSubstr("<rect class=\"bar\" x=\"96.8\" y=\"195\" width=\"44\" "
                             "height=\"65\" fill=\"url(#fill-0)\"><title>bfs, better (tried): "
                             "0.500</title></rect>"));
  EXPECT_THAT(svg, HasSubstr("y=\"0\" width=\"44\" height=\"260\""));
  EXPECT_EQ(count(svg, "<rect"), 7U);
  EXPECT_THAT(svg, HasSubstr("×"));
  EXPECT_THAT(svg, HasSubstr("needle, better: not measured"));
}

TEST(Bars, MarkOneIfValuesAreRelative) {
  EXPECT_THAT(draw_bars(reported_study()),
              HasSubstr("<line class=\"baseline\" x1=\"0\" x2=\"788.4\" y1=\"130\" y2=\"130\"/>"));
  Study study = reported_study();
  study.normalised_to = "";
  EXPECT_THAT(draw_bars(study), Not(HasSubstr("baseline")));
}

TEST(Bars, HangFromZeroIfNegative) {
  Study study = reported_study();
  study.normalised_to = "";
  for (StudyRow& row : study.rows) row.values = {-1.0, 1.0};
  study.means[0].values = {-1.0, 1.0};
  // The axis is -1 to 1, so zero is in the middle.
  EXPECT_THAT(draw_bars(study), AllOf(HasSubstr("y=\"130\" width=\"44\" height=\"130\""),
                                      HasSubstr("y=\"0\" width=\"44\" height=\"130\"")));
}

TEST(Bars, HaveWhiskersForTheSpreadOverSeveralSeeds) {
  const std::string svg = draw_bars(seeded_study());
  EXPECT_EQ(count(svg, "class=\"whisker\""), 2U);
  // The axis maps 0 to 2 onto 260 px from the bottom up: 0.25 is at y = 227.5, and 0.75 at 162.5.
  EXPECT_THAT(svg, HasSubstr("y1=\"162.5\" y2=\"227.5\""));
  EXPECT_THAT(svg, HasSubstr("0.500 (0.250 to 0.750)</title>"));
  EXPECT_THAT(draw_bars(reported_study()), Not(HasSubstr("whisker")));
}

TEST(Bars, ExtendTheAxisToTheirWhiskers) {
  Study study = seeded_study();
  study.rows[0].spreads[1]->most = 4;
  EXPECT_THAT(draw_bars(study), HasSubstr("y1=\"0\""));
}

TEST(Bars, ShowTheNumberOfAMean) {
  const std::string svg = draw_bars(reported_study());
  EXPECT_THAT(svg, HasSubstr(">1.500</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">2.000</text>")));
}

TEST(Stacks, StandOnOneAnother) {
  const std::string svg = draw_stacks(stacked_study());
  // A value of 1 is 260 px high. On scan, a quarter of the base's stack is "idle".
  EXPECT_THAT(svg, HasSubstr("y=\"195\" width=\"42\" height=\"65\""));
  EXPECT_THAT(svg, HasSubstr("y=\"0\" width=\"42\" height=\"195\""));
  EXPECT_THAT(svg, HasSubstr("<title>scan, better (base), busy: 0.5</title>"));
  EXPECT_THAT(svg, HasSubstr(">0.25</text>"));
}

TEST(Stacks, EndWhereAPartIsMissing) {
  const std::string svg = draw_stacks(stacked_study());
  EXPECT_EQ(count(svg, "class=\"part\""), 8U * 2 - 1);
  EXPECT_THAT(svg, HasSubstr("bfs, base, busy: not measured"));
}

TEST(Stacks, AreNumberedIfThereAreSeveralVariants) {
  const Study study = stacked_study();
  EXPECT_EQ(count(draw_stacks(study), "class=\"stack-number\""), 8U);
  EXPECT_THAT(draw_legend(study), HasSubstr("<ol class=\"legend stacks\"><li>base</li>"));
}

TEST(Lines, PassThroughTheirValues) {
  Study study = reported_study();
  study.rows[2].values = {2.0, 1.0};
  // The two variants are at x = 90 and 270 px. The axis from 0.5 to 2 is 260 px high, so that 1 is
  // at y = 260 * 2 / 3.
  const std::string svg = draw_lines(study);
  EXPECT_THAT(svg, HasSubstr("<path class=\"line\" d=\"M90,173.33L270,0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<title>bfs, better: 0.500</title>"));
  EXPECT_EQ(count(svg, "class=\"line\""), 4U);
  EXPECT_EQ(count(svg, "mean-line"), 1U);
}

TEST(Lines, HaveAGapIfNothingWasMeasured) {
  Study study = reported_study();
  study.columns.push_back("c");
  for (StudyRow& row : study.rows) {
    row.values = {1.0, std::nullopt, 2.0};
    row.spreads.resize(3);
  }
  study.means.clear();
  EXPECT_THAT(draw_lines(study), HasSubstr("d=\"M90,260M450,0\""));
}

TEST(Pictures, AreEmptyIfNothingWasMeasured) {
  Study study = stacked_study();
  for (StudyRow& row : study.rows) row.values = {std::nullopt, std::nullopt};
  for (StudyRow& row : study.rows) row.parts = {{std::nullopt, 1.0}, {std::nullopt, 1.0}};
  study.means.clear();
  for (const auto kind : {Chart::Kind::bars, Chart::Kind::lines}) {
    study.chart.kind = kind;
    EXPECT_EQ(draw(study), "");
  }
  study.rows.clear();
  study.chart.kind = Chart::Kind::stacked;
  EXPECT_EQ(draw(study), "");
}

TEST(Series, DrawsTheBaseInGreyWithoutChangingOtherColours) {
  Study study = reported_study();
  EXPECT_EQ(series_fill(study, 0), baseline_fill());
  EXPECT_EQ(series_fill(study, 1), fill_of(0));
  study.normalised_to = "";
  EXPECT_EQ(series_fill(study, 1), fill_of(1));
}

TEST(Palette, DistinguishesSixteenSeriesByMoreThanColour) {
  std::set<std::string> marks;
  const std::string definitions = fill_definitions();
  for (std::size_t i = 0; i < 16; ++i) {
    const std::string id = "id=\"fill-" + std::to_string(i) + "\"";
    const std::size_t at = definitions.find(id);
    ASSERT_NE(at, std::string::npos);
    const std::string pattern =
        definitions.substr(at + id.size(), definitions.find("</pattern>", at) - at - id.size());
    EXPECT_TRUE(marks.insert(pattern).second) << i;
    EXPECT_EQ(fill_of(i), "url(#fill-" + std::to_string(i) + ")");
  }
}

TEST(Palette, MakesStacksLighterFromBottomToTop) {
  EXPECT_EQ(part_colour(0, 5), "#31215e");
  EXPECT_EQ(part_colour(4, 5), "#fae250");
  EXPECT_EQ(part_ink(0, 5), "#fff");
  EXPECT_EQ(part_ink(4, 5), "#000");
}

TEST(Frame, SlantsLabelsThatDoNotFit) {
  EXPECT_FALSE(Frame(400, {{"bfs", 50}}, 100, "").has_slanted_labels());
  EXPECT_TRUE(Frame(400, {{"a-rather-long-workload", 50}}, 100, "").has_slanted_labels());
}

}  // namespace
}  // namespace heddle::lab::report
