#pragma once

#include "base/cycle.h"
#include "sm/schedule/activity_listener.h"
#include "sm/sub_cores/sub_cores.h"

namespace heddle::sm {

/// Forwards changes of the schedulers' active sets to the operand policy of the warp's sub-core,
/// with the current cycle. The policy must observe active sets.
class OperandActivity final : public ActivityListener {
 public:
  OperandActivity(SubCores& sub_cores, const Cycle& now) : sub_cores_(sub_cores), now_(now) {}

  void activated(WarpSlot warp) override { observer_of(warp).activated(warp, now_); }
  void suspended(WarpSlot warp, WaitReason reason) override {
    observer_of(warp).suspended(warp, reason, now_);
  }
  void waits_again(WarpSlot warp, WaitReason reason) override {
    observer_of(warp).waits_again(warp, reason, now_);
  }
  void ended(WarpSlot warp) override { observer_of(warp).ended(warp, now_); }

 private:
  ActiveSetObserver& observer_of(WarpSlot warp) {
    return *sub_cores_.of(warp).operands.active_set();
  }

  SubCores& sub_cores_;
  const Cycle& now_;
};

}  // namespace heddle::sm
