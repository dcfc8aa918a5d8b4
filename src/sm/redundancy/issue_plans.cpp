#include "sm/redundancy/issue_plans.h"

#include <cassert>

namespace heddle::sm {

void IssuePlans::make(WarpSlot warp, const Slot& slot, std::span<const Row> rows,
                      std::span<const Pass> passes) {
  assert(passes.size() <= plans_.size());
  for (std::size_t i = 0; i < passes.size(); ++i) {
    plans_[i] = redundancy_->plan({warp, slot, rows, passes[i], i});
  }
}

void IssuePlans::report_executed(WarpSlot warp, const Slot& slot, std::span<const Row> rows,
                                 std::span<const Pass> passes) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    redundancy_->executed({warp, slot, rows, passes[i], i});
  }
}

}  // namespace heddle::sm
