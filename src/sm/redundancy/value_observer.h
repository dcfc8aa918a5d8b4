#pragma once

// Counts which computations of a multiprocessor are redundant, whether or not hardware could detect
// them: uniform values, affine values, and passes that compute what recent passes have computed
// (Xiang's dissertation, section 2.2, counts the uniform ones). It changes no timing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sm/redundancy/observed_values.h"
#include "sm/redundancy/recent_passes.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

/// A redundancy policy that makes the plans of another one, or normal plans, and observes the
/// passes.
class ValueObserver final : public Redundancy {
 public:
  /// `policy`: null for normal plans. `recent_passes`: the number of passes with which each pass is
  /// compared.
  ValueObserver(std::unique_ptr<Redundancy> policy, std::size_t recent_passes)
      : policy_(std::move(policy)), recent_(recent_passes) {}

  void started(WarpSlot warp, std::span<const StaticWarp> static_warps, Cycle now) override;
  void ended(HardwareWarpId hardware_warp, Cycle at) override {
    if (policy_ != nullptr) policy_->ended(hardware_warp, at);
  }
  Plan plan(const PassValues& before, Cycle now) override;
  void observe_computed(std::size_t pass, Cycle at) override {
    if (policy_ != nullptr) policy_->observe_computed(pass, at);
  }
  void observe_executed(const PassValues& after, Cycle now) override;
  void declare(CounterList& counters) override;
  bool inject(FaultInjection& injection, std::uint32_t sm) override {
    return policy_ != nullptr && policy_->inject(injection, sm);
  }

 private:
  void record_sources(const PassValues& before, ComputedPass& pass) const;
  void count(ObservedClass observed, const PassValues& after, ComputedPass& pass);
  void count_branch(const PassValues& after);

  std::unique_ptr<Redundancy> policy_;  ///< May be null.
  /// By hardware warp: the number of its static warp. Static warps are numbered as they start.
  std::array<std::uint32_t, kMaxWarps> static_warps_{};
  std::uint32_t started_ = 0;
  // The passes of the instruction that is being issued. They are planned in order, and then
  // executed in the same order.
  std::array<ComputedPass, kMaxPasses> passes_{};
  std::size_t planned_ = 0;
  std::size_t executed_ = 0;
  RecentPasses recent_;
  ObservedValues values_;
};

}  // namespace heddle::sm
