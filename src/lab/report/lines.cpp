#include <fmt/format.h>

#include <algorithm>

#include "lab/report/bar_layout.h"
#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

// The usual width of a chart, and the limits of the distance between variants, in pixels.
constexpr double kUsualWidth = 950;
constexpr double kMinStep = 64;
constexpr double kMaxStep = 180;

/// The horizontal positions of the variants, with their labels.
std::vector<BandLabel> positions_of(const Study& study) {
  const double step =
      std::clamp(kUsualWidth / static_cast<double>(study.columns.size()), kMinStep, kMaxStep);
  std::vector<BandLabel> positions;
  for (const std::string& column : study.columns) {
    positions.push_back({column, (static_cast<double>(positions.size()) + 0.5) * step});
  }
  return positions;
}

std::string draw_line(const Study& study, const ChartRow& row, std::size_t series,
                      const std::vector<BandLabel>& positions, const Scale& y) {
  std::string path;
  std::string markers;
  bool is_joined = false;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::optional<double> value = row.table_row->values[i];
    if (value) {
      path += fmt::format("{}{},{}", is_joined ? "L" : "M", length(positions[i].centre),
                          length(y(*value)));
      markers += element(
          "path", {{"class", "marker"}, {"d", marker(series, positions[i].centre, y(*value))}},
          tooltip(cell_text(row.label, study.columns[i], value, study.is_normalised(),
                            row.table_row->spreads[i])));
    }
    // A value that was not measured leaves a gap in the line.
    is_joined = value.has_value();
  }
  return element("g", {{"class", line_style(row, series)}},
                 leaf("path", {{"class", "line"}, {"d", path}}) + markers);
}

}  // namespace

std::string draw_lines(const Study& study) {
  const auto extent = extent_of_values(study);
  if (!extent) return "";
  const bool has_baseline = study.is_normalised();
  const Ticks ticks = make_ticks(has_baseline ? std::min(1.0, extent->low) : extent->low,
                                 has_baseline ? std::max(1.0, extent->high) : extent->high, 8);
  const std::vector<BandLabel> positions = positions_of(study);
  const double step = 2 * positions.front().centre;
  const double width = step * static_cast<double>(positions.size());
  std::string plot;
  if (has_baseline) plot += baseline_mark(ticks, width);
  std::size_t series = 0;
  for (const ChartRow& row : chart_rows(study)) {
    plot += draw_line(study, row, series++, positions, Frame::value_scale(ticks));
  }
  const Frame frame(width, positions, step - 8, study.chart.x);
  return frame.draw(ticks, study.value_name(),
                    description(study, "Lines over the variants, one for each workload"), plot);
}

}  // namespace heddle::lab::report
