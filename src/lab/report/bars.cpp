#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/claim_text.h"
#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/groups.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

/// Narrower bars have no space for their number, even if it is rotated.
constexpr double kNumberWidth = 9;

std::string tooltip_text(const Study& study, const Group& group, std::size_t column) {
  const std::string& best = group.row->best[column];
  return cell_text(
      group.label,
      best.empty() ? study.columns[column] : fmt::format("{} ({})", study.columns[column], best),
      group.row->values[column], study.is_normalised(), group.row->spreads[column]);
}

std::string draw_missing(double x, double y, const std::string& tip) {
  return element("text", {{"class", "missing"}, {"x", length(x)}, {"y", length(y - 4)}},
                 tooltip(tip) + "×");
}

/// A line from the lowest to the highest value of several seeds.
std::string draw_whisker(double x, const Spread& spread, const Scale& y) {
  return leaf("line", {{"class", "whisker"},
                       {"x1", length(x)},
                       {"x2", length(x)},
                       {"y1", length(y(spread.most))},
                       {"y2", length(y(spread.least))}});
}

/// A mean's number, rotated, above its bar or whisker.
std::string draw_number(double x, double y, double value, bool relative) {
  return element("text",
                 {{"class", "number"},
                  {"transform", fmt::format("translate({} {}) rotate(-90)", length(x), length(y))},
                  {"dy", "0.35em"}},
                 text(figure_text(value, relative)));
}

}  // namespace

std::string draw_bars(const Study& study) {
  const auto extent = extent_of_values(study);
  if (!extent) return "";
  const Ticks ticks = make_ticks(std::min(0.0, extent->low), std::max(0.0, extent->high), 8);
  const Scale y = Frame::value_scale(ticks);
  const Groups places = lay_out(study.rows.size(), study.means.size(), study.columns.size());
  std::string plot = places.separator();
  std::string numbers;
  const std::vector<Group> groups = groups_of(study);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t column = 0; column < study.columns.size(); ++column) {
      const double left = places.bar_left(i, column);
      const double middle = left + places.bar_width / 2;
      const std::optional<double> value = groups[i].row->values[column];
      const std::string tip = tooltip_text(study, groups[i], column);
      if (!value) {
        plot += draw_missing(middle, y(0), tip);
        continue;
      }
      plot += element("rect",
                      {{"class", "bar"},
                       {"x", length(left)},
                       {"y", length(y(std::max(0.0, *value)))},
                       {"width", length(places.bar_width)},
                       {"height", length(std::abs(y(*value) - y(0)))},
                       {"fill", series_fill(study, column)}},
                      tooltip(tip));
      const std::optional<Spread>& spread = groups[i].row->spreads[column];
      if (spread) plot += draw_whisker(middle, *spread, y);
      if (groups[i].is_mean && groups[i].row->group.empty() && places.bar_width >= kNumberWidth) {
        const double top = std::max(0.0, spread ? spread->most : *value);
        numbers += draw_number(middle, y(top) - 5, *value, study.is_normalised());
      }
    }
  }
  if (study.is_normalised()) plot += baseline_mark(ticks, places.plot_width);
  const Frame frame(places.plot_width, places.labels(study), places.room(), study.chart.x);
  return frame.draw(ticks, study.value_name(), description(study, "Bars, grouped by workload"),
                    plot + numbers);
}

}  // namespace heddle::lab::report
