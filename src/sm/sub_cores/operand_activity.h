#pragma once

#include "base/cycle.h"
#include "sm/schedule/activity_listener.h"
#include "sm/sub_cores/sub_cores.h"

namespace heddle::sm {

/// Forwards changes of the schedulers' active sets to the operands of the warp's sub-core, with the
/// current cycle.
class OperandActivity final : public ActivityListener {
 public:
  OperandActivity(SubCores& sub_cores, const Cycle& now) : sub_cores_(sub_cores), now_(now) {}

  void activated(WarpSlot warp) override { sub_cores_.of(warp).operands->activated(warp, now_); }
  void suspended(WarpSlot warp) override { sub_cores_.of(warp).operands->suspended(warp, now_); }
  void ended(WarpSlot warp) override { sub_cores_.of(warp).operands->ended(warp, now_); }

 private:
  SubCores& sub_cores_;
  const Cycle& now_;
};

}  // namespace heddle::sm
