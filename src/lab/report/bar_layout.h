#pragma once

#include <string>
#include <vector>

#include "lab/report/frame.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// The horizontal layout of a bar chart: a group of bars for each row of the table, then one for
/// each mean. Each group has a bar for each variant. Lengths are in pixels.
struct BarLayout {
  double bar_width = 0;
  double group_width = 0;  ///< Without the gaps to other groups.
  double plot_width = 0;
  std::vector<double> group_lefts{};  ///< The left edge of each group: by row, then by mean.
  /// The position of the line between rows and means; 0 if there are no means.
  double separator_position = 0;

  double bar_left(std::size_t group, std::size_t bar) const {
    return group_lefts[group] + static_cast<double>(bar) * bar_width;
  }
  /// A label for each group, centred below it.
  std::vector<BandLabel> labels(const Study& study) const;
  /// The width available to each label.
  double label_width() const;
  /// Draws the line between rows and means; empty if there are no means.
  std::string separator() const;
};

/// `bars`: the number of bars of each group.
BarLayout lay_out_bars(std::size_t rows, std::size_t means, std::size_t bars);

/// A row or a mean of the table, with its label in the chart. chart_rows() lists the rows first.
struct ChartRow {
  const StudyRow* table_row;
  std::string label;
  bool is_mean;
};
std::vector<ChartRow> chart_rows(const Study& study);

}  // namespace heddle::lab::report
