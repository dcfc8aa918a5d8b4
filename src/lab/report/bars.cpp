#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/claim_text.h"
#include "lab/report/bar_layout.h"
#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

/// The minimum width, in pixels, of a bar that shows its number, rotated by 90 degrees.
constexpr double kNumberWidth = 9;

std::string tooltip_text(const Study& study, const ChartRow& row, std::size_t column) {
  const std::string& best = row.table_row->best[column];
  return cell_text(
      row.label,
      best.empty() ? study.columns[column] : fmt::format("{} ({})", study.columns[column], best),
      row.table_row->values[column], study.is_normalised(), row.table_row->spreads[column]);
}

/// A mark in the place of a bar whose value was not measured.
std::string draw_missing(double x, double y, const std::string& tip) {
  return element("text", {{"class", "missing"}, {"x", length(x)}, {"y", length(y - 4)}},
                 tooltip(tip) + "×");
}

/// A line from the lowest to the highest value over the seeds.
std::string draw_whisker(double x, const Spread& spread, const Scale& y) {
  return leaf("line", {{"class", "whisker"},
                       {"x1", length(x)},
                       {"x2", length(x)},
                       {"y1", length(y(spread.most))},
                       {"y2", length(y(spread.least))}});
}

/// The number of a mean, rotated, above its bar or whisker.
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
  const BarLayout layout =
      lay_out_bars(study.rows.size(), study.means.size(), study.columns.size());
  std::string plot = layout.separator();
  std::string numbers;
  const std::vector<ChartRow> rows = chart_rows(study);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t column = 0; column < study.columns.size(); ++column) {
      const double left = layout.bar_left(i, column);
      const double middle = left + layout.bar_width / 2;
      const std::optional<double> value = rows[i].table_row->values[column];
      const std::string tip = tooltip_text(study, rows[i], column);
      if (!value) {
        plot += draw_missing(middle, y(0), tip);
        continue;
      }
      plot += element("rect",
                      {{"class", "bar"},
                       {"x", length(left)},
                       {"y", length(y(std::max(0.0, *value)))},
                       {"width", length(layout.bar_width)},
                       {"height", length(std::abs(y(*value) - y(0)))},
                       {"fill", series_fill(study, column)}},
                      tooltip(tip));
      const std::optional<Spread>& spread = rows[i].table_row->spreads[column];
      if (spread) plot += draw_whisker(middle, *spread, y);
      if (rows[i].is_mean && rows[i].table_row->group.empty() && layout.bar_width >= kNumberWidth) {
        const double top = std::max(0.0, spread ? spread->most : *value);
        numbers += draw_number(middle, y(top) - 5, *value, study.is_normalised());
      }
    }
  }
  if (study.is_normalised()) plot += baseline_mark(ticks, layout.plot_width);
  const Frame frame(layout.plot_width, layout.labels(study), layout.label_width(), study.chart.x);
  return frame.draw(ticks, study.value_name(), description(study, "Bars, grouped by workload"),
                    plot + numbers);
}

}  // namespace heddle::lab::report
