#include "sm/redundancy/issue_plans.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

void IssuePlans::make(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                      std::span<const Pass> passes) {
  assert(passes.size() <= plans_.size());
  interval_.reset();
  compute_all_slices_ = true;
  RegisterSelection accessed = RegisterSelection::none();
  RegisterSelection in_all_lanes = RegisterSelection::none();
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const PassValues values{warp, slot, static_warps, passes[i], i};
    Plan& plan = plans_[i] = redundancy_->plan(values, now_);
    plan.computed_lanes =
        std::min(plan.computed_lanes, static_cast<std::uint32_t>(values.active().count()));
    interval_ = std::max(interval_, plan.interval);
    compute_all_slices_ = compute_all_slices_ && plan.slices == Plan::kAllSlices;
    accessed = accessed | plan.accessed.writes;
    in_all_lanes = in_all_lanes | plan.accessed.writes.without(plan.one_lane.writes);
  }
  writes_ = {.accessed = accessed, .one_lane = accessed.without(in_all_lanes)};
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
    writes_in_flight_.resize(token + 1);
  }
  writes_in_flight_[token] = writes_;
}

}  // namespace heddle::sm
