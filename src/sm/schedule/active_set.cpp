// The two-level warp scheduler of Gebhart's dissertation on on-chip storage for throughput
// processors, section 2.5. The warps of a small active set issue; the others are pending.

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
    parameters.number(
        "active_warps", active_warps, {.unit = "warps", .least = 1, .most = kMaxWarps},
        "size of a scheduler's active set; the other warps are pending ('active-set')");
    // An active set inside an active set would act like the smaller one alone.
    std::vector<std::string> others = SchedulerRegistry::names();
    std::erase(others, kName);
    parameters.choice("inner", inner, std::move(others),
                      "which of the active warps issues next ('active-set')");
    parameters.choice("suspends", suspends, {"waits", "marks"},
                      "whether a warp leaves the active set when it really waits for memory or "
                      "textures, or wherever the compiler marks that an instruction depends on "
                      "these, even if their results have arrived; operands.policy 'managed' always "
                      "uses marks ('active-set')");
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

/// Only a few active warps issue; the others are pending. A warp leaves the active set when it
/// would wait for a result of memory. The next pending warp in turn that can issue replaces it. A
/// warp that waits at a barrier also leaves the set: the dissertation does not mention this, but
/// otherwise active warps could wait for pending ones for ever.
class ActiveSet final : public WrappingScheduler {
 public:
  ActiveSet(std::uint32_t max_active, ActivityListener* listener, std::unique_ptr<Scheduler> inner)
      : WrappingScheduler(std::move(inner)),
        max_active_(static_cast<int>(max_active)),
        listener_(listener) {}

  void ended(WarpSlot warp) override {
    active_ &= ~set_of(warp);
    WrappingScheduler::ended(warp);
  }
  void begins_long_wait(WarpSlot warp, WaitReason reason) override {
    const bool was_active = (active_ & set_of(warp)) != 0;
    active_ &= ~set_of(warp);
    if (listener_ != nullptr) {
      was_active ? listener_->suspended(warp, reason) : listener_->waits_again(warp, reason);
    }
    WrappingScheduler::begins_long_wait(warp, reason);
  }
  WarpSlot pick(WarpSet eligible, Cycle now) override {
    fill_up(eligible);
    const WarpSet candidates = eligible & active_;
    return candidates == 0 ? kNoWarp : WrappingScheduler::pick(candidates, now);
  }
  WarpSet excluded_warps() const override { return ~active_ | WrappingScheduler::excluded_warps(); }

 private:
  /// Adds eligible warps to the active set, in the order of their slots, as long as it has space.
  void fill_up(WarpSet eligible) {
    WarpSet pending = eligible & ~active_;
    for (int places = max_active_ - std::popcount(active_); places > 0 && pending != 0; --places) {
      const WarpSet after = pending & ~slots_up_to_last_;
      const WarpSet chosen = after != 0 ? after : pending;
      const auto warp = static_cast<WarpSlot>(std::countr_zero(chosen));
      slots_up_to_last_ = (set_of(warp) << 1) - 1;
      active_ |= set_of(warp);
      pending &= ~set_of(warp);
      if (listener_ != nullptr) listener_->activated(warp);
    }
  }

  int max_active_;
  ActivityListener* listener_;  ///< May be null.
  WarpSet active_ = 0;
  /// The slots up to and including that of the warp which became active last.
  WarpSet slots_up_to_last_ = 0;
};

const SchedulerRegistry::Entry active_set_entry{
    kName,
    "two-level: few warps are active; one that waits for memory is replaced by a pending one",
    [](const ActiveSetParameters& parameters, const SchedulerPlace& place) {
      return std::make_unique<ActiveSet>(
          parameters.active_warps, place.listener,
          SchedulerRegistry::make(parameters.inner, place.description, place));
    }};

}  // namespace
}  // namespace heddle::sm
