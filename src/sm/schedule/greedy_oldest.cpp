#include <array>
#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// The warp that issued last for as long as it can go on; else the oldest one that can.
class GreedyOldest final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override {
    older_[warp] = all_;
    all_ |= set_of(warp);
  }
  void ended(WarpSlot warp) override {
    all_ &= ~set_of(warp);
    // Who gets the slot next is younger than all of these, and has not issued last.
    for (WarpSet rest = all_; rest != 0; rest &= rest - 1) {
      older_[static_cast<std::size_t>(std::countr_zero(rest))] &= ~set_of(warp);
    }
    last_ &= ~set_of(warp);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    if ((eligible & last_) != 0) return static_cast<WarpSlot>(std::countr_zero(last_));
    // Any one, then one older than it, until there is none: a few steps, and mostly none, as slots
    // are given in order.
    auto warp = static_cast<WarpSlot>(std::countr_zero(eligible));
    while (const WarpSet older = older_[warp] & eligible) {
      warp = static_cast<WarpSlot>(std::countr_zero(older));
    }
    last_ = set_of(warp);
    return warp;
  }

 private:
  WarpSet all_ = 0;
  WarpSet last_ = 0;                         ///< The warp that issued last, or none.
  std::array<WarpSet, kMostWarps> older_{};  ///< Of each warp, those that began before it.
};

const SchedulerRegistry::Entry greedy_oldest_entry{
    "greedy-oldest", "the warp that issued last for as long as it can, then the oldest",
    [](const SchedulerPlace&) { return std::make_unique<GreedyOldest>(); }};

}  // namespace
}  // namespace heddle::sm
