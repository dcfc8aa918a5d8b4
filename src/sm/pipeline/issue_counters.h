#pragma once

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "sm/operands/one_lane_accesses.h"

namespace heddle::sm {

struct IssueCounters {
  std::uint64_t warp_instructions = 0;  ///< Passes that have issued; most instructions have one.
  /// Issued instructions, each counted once for each thread that is at it, even if its guard is
  /// false.
  std::uint64_t thread_instructions = 0;
  /// Issued passes, by how many threads (0 to 32) of the pass are at the instruction.
  std::array<std::uint64_t, 33> lanes{};
  OneLaneAccesses one_lane;  ///< Not declared by declare(): only redundancy policies need it.

  void declare(CounterList& counters);
};

}  // namespace heddle::sm
