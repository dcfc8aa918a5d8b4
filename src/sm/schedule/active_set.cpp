// Gebhart's dissertation on on-chip storage for throughput processors, section 2.5.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sm/schedule/wrapping_scheduler.h"

namespace heddle::sm {
namespace {

constexpr std::string_view kName = "active-set";

struct ActiveSetParameters {
  std::uint32_t active_warps = 8;
  std::string inner = "greedy-oldest";
  std::string suspends = "waits";

  void declare(config::Declarations& parameters) {
    parameters.number("active_warps", active_warps,
                      {.unit = "warps", .least = 1, .most = kMostWarps},
                      "of a scheduler that may issue; the others are pending ('active-set')");
    // An active set within an active set would be the smaller one.
    std::vector<std::string> others = SchedulerRegistry::names();
    std::erase(others, kName);
    parameters.choice("inner", inner, std::move(others),
                      "which of the active warps issues next ('active-set')");
    parameters.choice("suspends", suspends, {"waits", "marks"},
                      "whether a warp leaves the active warps where it really waits for memory or "
                      "textures, or wherever the compiler marks that something depends on these, "
                      "even if it is there; operands.policy 'managed' goes by marks always "
                      "('active-set')");
  }
  void check(const SchedulerShare& share) const {
    SchedulerRegistry::check(inner, share.description, share);
    share.check_fits("active_warps", active_warps);
  }
  SchedulerProperties properties(const ScheduleDescription& schedule) const {
    SchedulerProperties properties = SchedulerRegistry::properties(inner, schedule);
    properties.has_active_set = true;
    properties.suspends_by_marks = suspends == "marks";
    return properties;
  }
};

/// Few warps are active, and only they issue; the others are pending. A warp leaves the active set
/// just before it would use what comes from memory (or wait at a barrier, which the dissertation
/// does not mention: there the active warps could wait for pending ones for ever); in its place
/// comes the next pending warp in turn that can issue.
class ActiveSet final : public WrappingScheduler {
 public:
  ActiveSet(std::uint32_t most, ActivityListener* listener, std::unique_ptr<Scheduler> inner)
      : WrappingScheduler(std::move(inner)), most_(static_cast<int>(most)), listener_(listener) {}

  void ended(WarpSlot warp) override {
    active_ &= ~set_of(warp);
    WrappingScheduler::ended(warp);
  }
  void begins_long_wait(WarpSlot warp, StallCause cause) override {
    const bool was_active = (active_ & set_of(warp)) != 0;
    active_ &= ~set_of(warp);
    if (was_active && listener_ != nullptr) listener_->suspended(warp);
    WrappingScheduler::begins_long_wait(warp, cause);
  }
  WarpSlot pick(WarpSet eligible, Cycle now) override {
    fill_up(eligible);
    const WarpSet candidates = eligible & active_;
    return candidates == 0 ? kNoWarp : WrappingScheduler::pick(candidates, now);
  }
  WarpSet passed_over() const override { return ~active_ | WrappingScheduler::passed_over(); }

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
      if (listener_ != nullptr) listener_->activated(warp);
    }
  }

  int most_;
  ActivityListener* listener_;  ///< Or null.
  WarpSet active_ = 0;
  WarpSet up_to_last_ = 0;  ///< The slots up to the one that became active last.
};

const SchedulerRegistry::Entry active_set_entry{
    kName, "few warps issue; one that waits for memory leaves its place to a pending one",
    [](const ActiveSetParameters& own, const SchedulerPlace& place) {
      return std::make_unique<ActiveSet>(
          own.active_warps, place.listener,
          SchedulerRegistry::make(own.inner, place.description, place));
    }};

}  // namespace
}  // namespace heddle::sm
