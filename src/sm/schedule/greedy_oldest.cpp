#include <array>
#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Greedy-then-oldest (GTO): picks the warp that issued last, as long as it can issue; otherwise
/// the oldest warp that can issue.
class GreedyOldest final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override {
    older_[warp] = all_;
    all_ |= set_of(warp);
  }
  void ended(WarpSlot warp) override {
    all_ &= ~set_of(warp);
    // The next warp in this slot will be younger than all warps that remain.
    for (WarpSet rest = all_; rest != 0; rest &= rest - 1) {
      older_[static_cast<std::size_t>(std::countr_zero(rest))] &= ~set_of(warp);
    }
    last_ &= ~set_of(warp);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    if ((eligible & last_) != 0) return static_cast<WarpSlot>(std::countr_zero(last_));
    // Starts with any eligible warp, and goes to an older one until there is none. This takes few
    // steps, because slots are given in order, so that a low slot usually has an old warp.
    auto warp = static_cast<WarpSlot>(std::countr_zero(eligible));
    while (const WarpSet older = older_[warp] & eligible) {
      warp = static_cast<WarpSlot>(std::countr_zero(older));
    }
    last_ = set_of(warp);
    return warp;
  }

 private:
  WarpSet all_ = 0;
  WarpSet last_ = 0;                        ///< The warp that issued last; empty if it has ended.
  std::array<WarpSet, kMaxWarps> older_{};  ///< For each warp, the warps that started before it.
};

const SchedulerRegistry::Entry greedy_oldest_entry{
    "greedy-oldest",
    "greedy-then-oldest: the warp that issued last as long as it can, then the oldest",
    [](const SchedulerPlace&) { return std::make_unique<GreedyOldest>(); }};

}  // namespace
}  // namespace heddle::sm
