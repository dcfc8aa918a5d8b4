#include <fmt/format.h>

#include <algorithm>

#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/groups.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

constexpr double kUsualWidth = 950;
constexpr double kLeastStep = 64;
constexpr double kMostStep = 180;

/// The horizontal positions of the variants, with their labels.
std::vector<BandLabel> positions_of(const Study& study) {
  const double step =
      std::clamp(kUsualWidth / static_cast<double>(study.columns.size()), kLeastStep, kMostStep);
  std::vector<BandLabel> places;
  for (const std::string& column : study.columns) {
    places.push_back({column, (static_cast<double>(places.size()) + 0.5) * step});
  }
  return places;
}

std::string draw_line(const Study& study, const Group& group, std::size_t series,
                      const std::vector<BandLabel>& places, const Scale& y) {
  std::string path;
  std::string marks;
  bool joined = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::optional<double> value = group.row->values[i];
    if (value) {
      path +=
          fmt::format("{}{},{}", joined ? "L" : "M", length(places[i].centre), length(y(*value)));
      marks +=
          element("path", {{"class", "marker"}, {"d", marker(series, places[i].centre, y(*value))}},
                  tooltip(cell_text(group.label, study.columns[i], value, study.is_normalised(),
                                    group.row->spreads[i])));
    }
    // A value that was not measured leaves a gap in the line.
    joined = value.has_value();
  }
  return element("g", {{"class", line_style(group, series)}},
                 leaf("path", {{"class", "line"}, {"d", path}}) + marks);
}

}  // namespace

std::string draw_lines(const Study& study) {
  const auto extent = extent_of_values(study);
  if (!extent) return "";
  const bool mark = study.is_normalised();
  const Ticks ticks = make_ticks(mark ? std::min(1.0, extent->low) : extent->low,
                                 mark ? std::max(1.0, extent->high) : extent->high, 8);
  const std::vector<BandLabel> places = positions_of(study);
  const double step = 2 * places.front().centre;
  const double width = step * static_cast<double>(places.size());
  std::string plot;
  if (mark) plot += baseline_mark(ticks, width);
  std::size_t series = 0;
  for (const Group& group : groups_of(study)) {
    plot += draw_line(study, group, series++, places, Frame::value_scale(ticks));
  }
  const Frame frame(width, places, step - 8, study.chart.x);
  return frame.draw(ticks, study.value_name(),
                    description(study, "Lines over the variants, one for each workload"), plot);
}

}  // namespace heddle::lab::report
