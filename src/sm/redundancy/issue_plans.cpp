#include "sm/redundancy/issue_plans.h"

#include <cassert>

namespace heddle::sm {

void IssuePlans::make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                      std::span<const Pass> passes) {
  assert(passes.size() <= plans_.size());
  for (std::size_t i = 0; i < passes.size(); ++i) {
    plans_[i] = redundancy_->plan({warp, slot, static_warps, passes[i], i});
  }
}

void IssuePlans::report_executed(WarpSlot warp, const Slot& slot,
                                 std::span<const StaticWarp> static_warps,
                                 std::span<const Pass> passes) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    redundancy_->observe_executed({warp, slot, static_warps, passes[i], i});
  }
}

}  // namespace heddle::sm
