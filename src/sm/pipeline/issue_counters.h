#pragma once

#include <array>
#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

struct IssueCounters {
  std::uint64_t warp_instructions = 0;    ///< One for each pass of an instruction.
  std::uint64_t thread_instructions = 0;  ///< One for each thread on the path of an instruction.
  /// Passes, by the number of lanes on their path.
  std::array<std::uint64_t, 33> lanes{};

  void declare(CounterList& counters);
};

}  // namespace heddle::sm
