#include <fmt/format.h>

#include "lab/report/bar_layout.h"
#include "lab/report/draw.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

std::string item(const std::string& sample, const std::string& name) {
  return element("li", {}, sample + text(name));
}

std::string swatch(const std::string& fill) {
  return element("svg", {{"width", "24"}, {"height", "16"}, {"aria-hidden", "true"}},
                 leaf("rect", {{"class", "bar"},
                               {"x", "1"},
                               {"y", "1"},
                               {"width", "22"},
                               {"height", "14"},
                               {"fill", fill}}));
}

std::string line_sample(const std::string& style, std::size_t series) {
  return element("svg", {{"width", "36"}, {"height", "16"}, {"aria-hidden", "true"}},
                 element("g", {{"class", style}},
                         leaf("path", {{"class", "line"}, {"d", "M1,8H35"}}) +
                             leaf("path", {{"class", "marker"}, {"d", marker(series, 18, 8)}})));
}

std::string list(const std::string& items) { return element("ul", {{"class", "legend"}}, items); }

std::string legend_of_bars(const Study& study) {
  std::string items;
  for (std::size_t i = 0; i < study.columns.size(); ++i) {
    items += item(swatch(series_fill(study, i)), study.columns[i]);
  }
  return list(items);
}

std::string legend_of_lines(const Study& study) {
  std::string items;
  std::size_t series = 0;
  for (const ChartRow& row : chart_rows(study)) {
    items += item(line_sample(line_style(row, series), series), row.label);
    ++series;
  }
  return list(items);
}

std::string legend_of_stacks(const Study& study) {
  // Lists the topmost part first, as in the stack.
  std::string items;
  for (std::size_t i = study.parts.size(); i-- > 0;) {
    items += item(swatch(part_colour(i, study.parts.size())), study.parts[i].first);
  }
  std::string legend = list(items);
  if (study.columns.size() < 2) return legend;
  std::string names;
  for (const std::string& column : study.columns) names += element("li", {}, text(column));
  return legend + element("ol", {{"class", "legend stacks"}}, names);
}

}  // namespace

std::string draw_legend(const Study& study) {
  switch (study.chart.kind) {
    case Chart::Kind::bars:
      return legend_of_bars(study);
    case Chart::Kind::lines:
      return legend_of_lines(study);
    case Chart::Kind::stacked:
      return legend_of_stacks(study);
  }
  return "";
}

}  // namespace heddle::lab::report
