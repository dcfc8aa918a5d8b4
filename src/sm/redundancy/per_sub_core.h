#pragma once

// A redundancy policy for each sub-core: tokens, scalar registers and a reuse buffer of its own. A
// warp never changes its sub-core, so the policies never meet.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

class RedundancyPerSubCore final : public Redundancy {
 public:
  /// `policies`: by sub-core, at least one.
  explicit RedundancyPerSubCore(std::vector<std::unique_ptr<Redundancy>> policies)
      : policies_(std::move(policies)), planned_(policies_.front().get()) {}

  void started(WarpSlot warp, std::span<const StaticWarp> static_warps, Cycle now) override {
    of(warp).started(warp, static_warps, now);
  }
  void ended(HardwareWarpId hardware_warp, Cycle at) override {
    for (const auto& policy : policies_) policy->ended(hardware_warp, at);
  }
  Plan plan(const PassValues& before, Cycle now) override {
    planned_ = &of(before.warp());
    return planned_->plan(before, now);
  }
  void observe_computed(std::size_t pass, Cycle at) override {
    planned_->observe_computed(pass, at);
  }
  void observe_executed(const PassValues& after, Cycle now) override {
    of(after.warp()).observe_executed(after, now);
  }
  void declare(CounterList& counters) override {
    for (const auto& policy : policies_) policy->declare(counters);
  }

 private:
  Redundancy& of(WarpSlot warp) { return *policies_[warp % policies_.size()]; }

  std::vector<std::unique_ptr<Redundancy>> policies_;
  Redundancy* planned_;  ///< The policy of the last planned pass.
};

}  // namespace heddle::sm
