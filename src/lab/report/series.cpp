#include "lab/report/series.h"

#include <fmt/format.h>

#include "lab/report/palette.h"

namespace heddle::lab::report {

std::string series_fill(const Study& study, std::size_t column) {
  if (study.columns[column] == study.normalised_to) return baseline_fill();
  std::size_t series = 0;
  for (std::size_t i = 0; i < column; ++i) {
    if (study.columns[i] != study.normalised_to) ++series;
  }
  return fill_of(series);
}

std::string line_style(const ChartRow& row, std::size_t series) {
  if (!row.is_mean) return line_class(series);
  return row.table_row->group.empty() ? "mean-line" : "mean-line dashed";
}

std::string description(const Study& study, const std::string& kind) {
  return fmt::format("{}: {}. {}. {} workloads, {} variants. The table below has the numbers.",
                     kind, study.title, study.value_name(), study.rows.size(),
                     study.columns.size());
}

}  // namespace heddle::lab::report
