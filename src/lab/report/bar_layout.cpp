#include "lab/report/bar_layout.h"

#include <algorithm>

#include "lab/report/labels.h"
#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

/// In pixels. Charts are about as wide as a page unless their bars would be too narrow or too wide.
constexpr double kUsualWidth = 950;
constexpr double kMinBarWidth = 7;
constexpr double kMaxBarWidth = 44;
/// The fraction of the width per group that its bars take; the rest is the gap.
constexpr double kBarsShare = 0.78;
/// The minimum gap between groups, and the additional gap between rows and means, in pixels.
constexpr double kMinGap = 10;
constexpr double kMeansGap = 14;
/// The maximum gap as a multiple of a group's width, so that a chart of few groups stays compact.
constexpr double kMaxGap = 1.2;

}  // namespace

BarLayout lay_out_bars(std::size_t rows, std::size_t means, std::size_t bars) {
  const auto count = static_cast<double>(rows + means);
  BarLayout layout;
  layout.bar_width = std::clamp(kUsualWidth / count * kBarsShare / static_cast<double>(bars),
                                kMinBarWidth, kMaxBarWidth);
  layout.group_width = layout.bar_width * static_cast<double>(bars);
  const double gap = std::clamp(kUsualWidth / count - layout.group_width, kMinGap,
                                std::max(kMinGap, kMaxGap * layout.group_width));
  double x = gap / 2;
  for (std::size_t i = 0; i < rows + means; ++i) {
    if (i == rows) {
      layout.separator_position = x - gap / 2 + kMeansGap / 2;
      x += kMeansGap;
    }
    layout.group_lefts.push_back(x);
    x += layout.group_width + gap;
  }
  layout.plot_width = x - gap / 2;
  return layout;
}

std::vector<BandLabel> BarLayout::labels(const Study& study) const {
  std::vector<BandLabel> labels;
  for (const ChartRow& row : chart_rows(study)) {
    labels.push_back({row.label, group_lefts[labels.size()] + group_width / 2});
  }
  return labels;
}

double BarLayout::label_width() const {
  return group_lefts.size() < 2 ? plot_width : group_lefts[1] - group_lefts[0] - 6;
}

std::string BarLayout::separator() const {
  if (separator_position == 0) return "";
  const std::string x = length(separator_position);
  return leaf("line", {{"class", "separator"},
                       {"x1", x},
                       {"x2", x},
                       {"y1", "0"},
                       {"y2", length(Frame::kPlotHeight)}});
}

std::vector<ChartRow> chart_rows(const Study& study) {
  std::vector<ChartRow> rows;
  for (const StudyRow& row : study.rows) rows.push_back({&row, row.label, false});
  for (const StudyRow& mean : study.means) rows.push_back({&mean, mean_label(mean), true});
  return rows;
}

}  // namespace heddle::lab::report
