#include "lab/report/groups.h"

#include <algorithm>

#include "lab/report/labels.h"
#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

/// Charts are about as wide as a page unless their bars would be too narrow or too wide.
constexpr double kUsualWidth = 950;
constexpr double kNarrowestBar = 7;
constexpr double kWidestBar = 44;
/// Fraction of a group's width that its bars take.
constexpr double kBarsShare = 0.78;
constexpr double kLeastGap = 10;
constexpr double kMeansGap = 14;
/// Maximum gap in widths of a group, so that few groups are not far apart.
constexpr double kMostGap = 1.2;

}  // namespace

Groups lay_out(std::size_t rows, std::size_t means, std::size_t bars) {
  const auto count = static_cast<double>(rows + means);
  Groups groups;
  groups.bar_width = std::clamp(kUsualWidth / count * kBarsShare / static_cast<double>(bars),
                                kNarrowestBar, kWidestBar);
  groups.group_width = groups.bar_width * static_cast<double>(bars);
  const double gap = std::clamp(kUsualWidth / count - groups.group_width, kLeastGap,
                                std::max(kLeastGap, kMostGap * groups.group_width));
  double x = gap / 2;
  for (std::size_t i = 0; i < rows + means; ++i) {
    if (i == rows) {
      groups.first_mean_left = x - gap / 2 + kMeansGap / 2;
      x += kMeansGap;
    }
    groups.lefts.push_back(x);
    x += groups.group_width + gap;
  }
  groups.plot_width = x - gap / 2;
  return groups;
}

std::vector<BandLabel> Groups::labels(const Study& study) const {
  std::vector<BandLabel> labels;
  for (const Group& group : groups_of(study)) {
    labels.push_back({group.label, lefts[labels.size()] + group_width / 2});
  }
  return labels;
}

double Groups::room() const { return lefts.size() < 2 ? plot_width : lefts[1] - lefts[0] - 6; }

std::string Groups::separator() const {
  if (first_mean_left == 0) return "";
  const std::string x = length(first_mean_left);
  return leaf("line", {{"class", "separator"},
                       {"x1", x},
                       {"x2", x},
                       {"y1", "0"},
                       {"y2", length(Frame::kPlotHeight)}});
}

std::vector<Group> groups_of(const Study& study) {
  std::vector<Group> groups;
  for (const StudyRow& row : study.rows) groups.push_back({&row, row.label, false});
  for (const StudyRow& mean : study.means) groups.push_back({&mean, mean_label(mean), true});
  return groups;
}

}  // namespace heddle::lab::report
