#pragma once

// The redundancy plans of the instruction that issues, one per pass. They are made before the
// instruction is executed, because its results may overwrite its sources. They are kept until its
// passes are booked.

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
  /// Makes plans for the warp's arithmetic instruction, before it is executed.
  void make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
            std::span<const Pass> passes);
  const Plan& operator[](std::size_t pass) const { return plans_[pass]; }
  /// Reports that the warp's instruction has been executed.
  void report_executed(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                       std::span<const Pass> passes);

 private:
  static constexpr std::size_t kMostPasses = 32;  ///< A block's largest number of static warps.

  Redundancy* redundancy_;
  std::array<Plan, kMostPasses> plans_{};
};

}  // namespace heddle::sm
