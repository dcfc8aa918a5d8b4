#pragma once

// Chooses which values are kept in which upper level: the greedy algorithm of Gebhart's
// dissertation on on-chip storage for throughput processors, section 6.4.

#include <cstddef>
#include <vector>

#include "code/placement/placement.h"
#include "code/placement/values.h"

namespace heddle::code {

/// The place of a value.
struct Choice {
  UpperPlace place{};      ///< The level `main` if the value is kept in the main file only.
  std::size_t served = 0;  ///< How many of the value's reads, counted from the first, use `place`.
};

/// Returns the choice for each value, in the order of `values`.
std::vector<Choice> choose_places(const CodeOrder& code, const std::vector<Value>& values,
                                  const Hierarchy& hierarchy);

}  // namespace heddle::code
