#pragma once

#include <optional>

#include "lab/report/study.h"

namespace heddle::lab::report {

struct Extent {
  double low = 0;
  double high = 0;
};

/// From the least to the greatest value of rows and means, which are finite; empty where nothing
/// was measured. Of stacks: of what their parts add up to.
std::optional<Extent> extent_of_values(const Study& study);
std::optional<Extent> extent_of_stacks(const Study& study);

}  // namespace heddle::lab::report
