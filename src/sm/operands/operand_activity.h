#pragma once

#include "base/cycle.h"
#include "sm/operands/operands.h"
#include "sm/schedule/activity_listener.h"

namespace heddle::sm {

/// Forwards changes of the schedulers' active sets to the operand logic, with the current cycle.
class OperandActivity final : public ActivityListener {
 public:
  OperandActivity(Operands& operands, const Cycle& now) : operands_(operands), now_(now) {}

  void activated(WarpSlot warp) override { operands_.activated(warp, now_); }
  void suspended(WarpSlot warp) override { operands_.suspended(warp, now_); }
  void ended(WarpSlot warp) override { operands_.ended(warp, now_); }

 private:
  Operands& operands_;
  const Cycle& now_;
};

}  // namespace heddle::sm
