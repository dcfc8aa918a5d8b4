#pragma once

// The counters of one interval of a launch.

#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::gpu {

struct Sample {
  Cycle begin{};
  Cycle end{};                            ///< The first cycle after the interval.
  std::vector<std::uint64_t> counters{};  ///< Indexed like Chip::counters().
};

}  // namespace heddle::gpu
