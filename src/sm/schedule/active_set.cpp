// Gebhart's dissertation on on-chip storage for throughput processors, section 2.5.

#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Few warps are active, and only they issue; the others are pending. A warp leaves the active set
/// just before it would use what comes from memory (or wait at a barrier, which the dissertation
/// does not mention: there the active warps could wait for pending ones for ever); in its place
/// comes the next pending warp in turn that can issue.
class ActiveSet final : public Scheduler {
 public:
  ActiveSet(std::uint32_t most, std::unique_ptr<Scheduler> inner)
      : most_(static_cast<int>(most)), inner_(std::move(inner)) {}

  void started(WarpSlot warp) override { inner_->started(warp); }
  void ended(WarpSlot warp) override {
    active_ &= ~set_of(warp);
    inner_->ended(warp);
  }
  void begins_long_wait(WarpSlot warp) override {
    active_ &= ~set_of(warp);
    inner_->begins_long_wait(warp);
  }
  void formed(WarpSlot warp, const Formation& formation) override {
    inner_->formed(warp, formation);
  }
  bool goes_by_formation() const override { return inner_->goes_by_formation(); }
  WarpSlot pick(WarpSet eligible, Cycle now) override {
    fill_up(eligible);
    const WarpSet candidates = eligible & active_;
    return candidates == 0 ? kNoWarp : inner_->pick(candidates, now);
  }
  WarpSet passed_over() const override { return ~active_; }

 private:
  void fill_up(WarpSet eligible) {
    WarpSet pending = eligible & ~active_;
    for (int places = most_ - std::popcount(active_); places > 0 && pending != 0; --places) {
      const WarpSet after = pending & ~up_to_last_;
      const WarpSet chosen = after != 0 ? after : pending;
      const auto warp = static_cast<WarpSlot>(std::countr_zero(chosen));
      up_to_last_ = (set_of(warp) << 1) - 1;
      active_ |= set_of(warp);
      pending &= ~set_of(warp);
    }
  }

  int most_;
  std::unique_ptr<Scheduler> inner_;
  WarpSet active_ = 0;
  WarpSet up_to_last_ = 0;  ///< The slots up to the one that became active last.
};

const SchedulerRegistry::Entry entry{
    "active-set", "few warps issue; one that waits for memory leaves its place to a pending one",
    [](const SchedulerPlace& place) -> std::unique_ptr<Scheduler> {
      return std::make_unique<ActiveSet>(place.description.active_warps,
                                         SchedulerRegistry::get(place.description.inner)(place));
    }};

}  // namespace
}  // namespace heddle::sm
