#include <array>
#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Greedy-then-oldest (GTO): picks the warp that issued last as long as it can issue, and otherwise
/// the oldest warp that can.
class GreedyOldest final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override {
    older_[warp] = all_;
    all_ |= set_of(warp);
  }
  void ended(WarpSlot warp) override {
    all_ &= ~set_of(warp);
    // The next warp in this slot will be younger than all of the warps that remain, and is not the
    // one that issued last.
    for (WarpSet rest = all_; rest != 0; rest &= rest - 1) {
      older_[static_cast<std::size_t>(std::countr_zero(rest))] &= ~set_of(warp);
    }
    last_ &= ~set_of(warp);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    if ((eligible & last_) != 0) return static_cast<WarpSlot>(std::countr_zero(last_));
    // Starts with any warp, and continues with an older one until there is none. That takes few
    // steps, mostly none, because slots are given in order.
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
  std::array<WarpSet, kMostWarps> older_{};  ///< For each warp, those that started before it.
};

const SchedulerRegistry::Entry greedy_oldest_entry{
    "greedy-oldest",
    "greedy-then-oldest: the warp that issued last as long as it can, then the oldest",
    [](const SchedulerPlace&) { return std::make_unique<GreedyOldest>(); }};

}  // namespace
}  // namespace heddle::sm
