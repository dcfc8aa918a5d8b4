#pragma once

#include <string>
#include <vector>

#include "lab/report/frame.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// The layout of grouped bars: a group for each row, then one for each mean.
struct Groups {
  double bar_width = 0;
  double group_width = 0;  ///< Without the gap to its neighbours.
  double plot_width = 0;
  std::vector<double> lefts{};  ///< By row, then by mean.
  double first_mean_left = 0;   ///< Left edge of the gap between rows and means.

  double bar_left(std::size_t group, std::size_t bar) const {
    return lefts[group] + static_cast<double>(bar) * bar_width;
  }
  std::vector<BandLabel> labels(const Study& study) const;
  /// The width available to each label.
  double room() const;
  /// Draws the line between rows and means.
  std::string separator() const;
};

Groups lay_out(std::size_t rows, std::size_t means, std::size_t bars);

/// A row or a mean with its label. groups_of() lists the rows first.
struct Group {
  const StudyRow* row;
  std::string label;
  bool is_mean;
};
std::vector<Group> groups_of(const Study& study);

}  // namespace heddle::lab::report
