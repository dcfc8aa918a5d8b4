#pragma once

// The plans that a redundancy policy makes for the instruction that issues, one for each of its
// passes (sets of threads in different lanes that go through a unit together). They are made before
// the instruction is executed, because its results may overwrite its sources. They are used when
// its passes are booked.

#include <array>
#include <cstddef>
#include <span>

#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

class IssuePlans {
 public:
  /// `redundancy`: null if no plans are made.
  explicit IssuePlans(Redundancy* redundancy) : redundancy_(redundancy) {}

  bool is_enabled() const { return redundancy_ != nullptr; }
  /// Makes plans for the warp's arithmetic instruction, which has not been executed yet.
  void make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
            std::span<const Pass> passes);
  /// The plan for the pass with this number, from 0 on.
  const Plan& operator[](std::size_t pass) const { return plans_[pass]; }
  /// Reports that the warp's instruction has been executed.
  void report_executed(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                       std::span<const Pass> passes);

 private:
  static constexpr std::size_t kMaxPasses = 32;  ///< A block has at most 32 static warps.

  Redundancy* redundancy_;
  std::array<Plan, kMaxPasses> plans_{};
};

}  // namespace heddle::sm
