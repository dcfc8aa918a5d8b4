#pragma once

#include <cstdint>

#include "sm/stalls/stall_cause.h"

namespace heddle::sm {

/// The cycles in which warps did not issue, by stall cause, summed over warps. WarpTable counts the
/// waits, and StallAccounting the cycles of ready warps.
class WarpStallCycles {
 public:
  /// Counts cycles of a wait.
  void add_wait(WaitReason reason, std::uint64_t cycles) { cycles_[cause_of(reason)] += cycles; }
  /// Counts cycles of ready warps.
  void add(StallCause cause, std::uint64_t cycles) { cycles_[cause] += cycles; }
  const std::uint64_t& operator[](StallCause cause) const { return cycles_[cause]; }

 private:
  ByStallCause<std::uint64_t> cycles_{};
};

}  // namespace heddle::sm
