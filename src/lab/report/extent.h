#pragma once

#include <optional>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// A range of values.
struct Extent {
  double low = 0;
  double high = 0;
};

/// The range of the finite values of rows and means; empty if nothing was measured.
std::optional<Extent> extent_of_values(const Study& study);
/// The range of the heights of stacks and of their parts' tops; empty if nothing was measured.
std::optional<Extent> extent_of_stacks(const Study& study);

}  // namespace heddle::lab::report
