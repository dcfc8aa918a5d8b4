#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Loose round robin: picks warps in the order of their slots, whatever their ages, and skips warps
/// that cannot issue.
class RoundRobin final : public BasicScheduler {
 public:
  WarpSlot pick(WarpSet eligible, Cycle) override {
    // If `last_` is 63, the shift yields 0, and all 64 bits of `slots_up_to_last` are set.
    const WarpSet slots_up_to_last = (set_of(last_) << 1) - 1;
    const WarpSet after = eligible & ~slots_up_to_last;
    last_ = static_cast<WarpSlot>(std::countr_zero(after != 0 ? after : eligible));
    return last_;
  }

 private:
  WarpSlot last_ = kMaxWarps - 1;  ///< The slot that was picked last.
};

const SchedulerRegistry::Entry round_robin_entry{
    "round-robin", "the warps in turn: the next one after the one that issued last",
    [](const SchedulerPlace&) { return std::make_unique<RoundRobin>(); }};

}  // namespace
}  // namespace heddle::sm
