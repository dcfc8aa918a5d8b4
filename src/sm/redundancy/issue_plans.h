#pragma once

// The plans of the instruction that issues, a pass each: they are made before it is executed, as a
// result may take the place of a source, and kept until its passes are booked.

#include <array>
#include <cstddef>
#include <span>

#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

class IssuePlans {
 public:
  /// `redundancy`: null where no plans are made.
  explicit IssuePlans(Redundancy* redundancy) : redundancy_(redundancy) {}

  bool any() const { return redundancy_ != nullptr; }
  /// The warp's arithmetic instruction is about to be executed.
  void make(WarpSlot warp, const Slot& slot, std::span<const Row> rows,
            std::span<const Pass> passes);
  const Plan& operator[](std::size_t pass) const { return plans_[pass]; }
  /// The warp's instruction has been executed.
  void report_executed(WarpSlot warp, const Slot& slot, std::span<const Row> rows,
                       std::span<const Pass> passes);

 private:
  static constexpr std::size_t kMostPasses = 32;  ///< As many as a block has rows.

  Redundancy* redundancy_;
  std::array<Plan, kMostPasses> plans_{};
};

}  // namespace heddle::sm
