#pragma once

#include <memory>
#include <utility>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// Base class of schedulers that wrap another one. It forwards all calls; derived classes override
/// some. A function of Scheduler that is not forwarded here remains pure virtual, so no derived
/// class compiles.
class WrappingScheduler : public Scheduler {
 public:
  explicit WrappingScheduler(std::unique_ptr<Scheduler> inner)
      : Scheduler(true), inner_(std::move(inner)) {}

  void started(WarpSlot warp) override { inner_->started(warp); }
  void ended(WarpSlot warp) override { inner_->ended(warp); }
  void formed(WarpSlot warp, const Formation& formation) override {
    inner_->formed(warp, formation);
  }
  void begins_long_wait(WarpSlot warp, WaitReason reason) override {
    inner_->begins_long_wait(warp, reason);
  }
  WarpSlot pick(WarpSet eligible, Cycle now) override { return inner_->pick(eligible, now); }
  WarpSet excluded_warps() const override { return inner_->excluded_warps(); }
  Cycle next_update(Cycle now) const override { return inner_->next_update(now); }
  void update(Cycle now) override { inner_->update(now); }
  void declare(CounterList& counters) override { inner_->declare(counters); }

 private:
  std::unique_ptr<Scheduler> inner_;
};

}  // namespace heddle::sm
