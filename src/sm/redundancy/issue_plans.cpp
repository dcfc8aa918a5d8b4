#include "sm/redundancy/issue_plans.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

void IssuePlans::make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                      std::span<const Pass> passes) {
  assert(passes.size() <= plans_.size());
  interval_.reset();
  compute_all_slices_ = true;
  writes_ = RegisterSelection::none();
  for (std::size_t i = 0; i < passes.size(); ++i) {
    plans_[i] = redundancy_->plan({warp, slot, static_warps, passes[i], i}, now_);
    interval_ = std::max(interval_, plans_[i].interval);
    compute_all_slices_ = compute_all_slices_ && plans_[i].slices == Plan::kAllSlices;
    writes_ = writes_ | plans_[i].accessed.writes;
  }
}

void IssuePlans::report_executed(WarpSlot warp, const Slot& slot,
                                 std::span<const StaticWarp> static_warps,
                                 std::span<const Pass> passes) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    redundancy_->observe_executed({warp, slot, static_warps, passes[i], i}, now_);
  }
}

void IssuePlans::keep_writes(std::uint32_t token) {
  if (writes_in_flight_.size() <= token) {
    writes_in_flight_.resize(token + 1, RegisterSelection::all());
  }
  writes_in_flight_[token] = writes_;
}

}  // namespace heddle::sm
