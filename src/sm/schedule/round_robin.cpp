#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Turn by turn in the order of the slots, whatever the warps' ages.
class RoundRobin final : public BasicScheduler {
 public:
  WarpSlot pick(WarpSet eligible, Cycle) override {
    // For the last slot the shift leaves nothing: all warps come after it.
    const WarpSet up_to_last = (set_of(last_) << 1) - 1;
    const WarpSet after = eligible & ~up_to_last;
    last_ = static_cast<WarpSlot>(std::countr_zero(after != 0 ? after : eligible));
    return last_;
  }

 private:
  WarpSlot last_ = kMostWarps - 1;
};

const SchedulerRegistry::Entry round_robin_entry{
    "round-robin", "the warps in turn: the next one after the one that issued last",
    [](const SchedulerPlace&) { return std::make_unique<RoundRobin>(); }};

}  // namespace
}  // namespace heddle::sm
