#pragma once

#include <string>
#include <vector>

#include "lab/report/frame.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// Where bars of a chart stand that are grouped by row, with the means after them.
struct Groups {
  double bar_width = 0;
  double group_width = 0;  ///< Without the room to its neighbours.
  double plot_width = 0;
  std::vector<double> lefts{};  ///< By row, then by mean.
  double first_mean_left = 0;   ///< Of the room that is between rows and means.

  double bar_left(std::size_t group, std::size_t bar) const {
    return lefts[group] + static_cast<double>(bar) * bar_width;
  }
  std::vector<BandLabel> labels(const Study& study) const;
  /// What a label has to itself.
  double room() const;
  /// The line between rows and means.
  std::string separator() const;
};

Groups lay_out(std::size_t rows, std::size_t means, std::size_t bars);

/// Rows, then means, with the labels of their groups.
struct Group {
  const StudyRow* row;
  std::string label;
  bool mean;
};
std::vector<Group> groups_of(const Study& study);

}  // namespace heddle::lab::report
