#pragma once

// What a launch counted in one stretch of its time.

#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::gpu {

struct Sample {
  Cycle begin{};
  Cycle end{};                            ///< The first cycle that is no part of it.
  std::vector<std::uint64_t> counters{};  ///< By the index of Chip::counters().
};

}  // namespace heddle::gpu
