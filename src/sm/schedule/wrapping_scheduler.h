#pragma once

#include <memory>
#include <utility>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// A scheduler that asks another one: whatever it does not do itself, that one does. Every function
/// of Scheduler must be passed on here, or no scheduler that derives from this one can be made.
class WrappingScheduler : public Scheduler {
 public:
  explicit WrappingScheduler(std::unique_ptr<Scheduler> inner) : inner_(std::move(inner)) {}

  void started(WarpSlot warp) override { inner_->started(warp); }
  void ended(WarpSlot warp) override { inner_->ended(warp); }
  void formed(WarpSlot warp, const Formation& formation) override {
    inner_->formed(warp, formation);
  }
  void begins_long_wait(WarpSlot warp) override { inner_->begins_long_wait(warp); }
  WarpSlot pick(WarpSet eligible, Cycle now) override { return inner_->pick(eligible, now); }
  WarpSet passed_over() const override { return inner_->passed_over(); }

 private:
  std::unique_ptr<Scheduler> inner_;
};

}  // namespace heddle::sm
