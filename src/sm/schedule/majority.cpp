// Fung et al.'s majority policy for dynamic warp formation, as Narasiman et al., Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling, section 4, describe it: threads that
// take rarely executed paths starve until nobody else is left.

#include <array>
#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// All warps at one instruction, then all those at the one that most of the others are at.
class Majority final : public Scheduler {
 public:
  void started(WarpSlot warp) override { since_[warp] = ++clock_; }
  void ended(WarpSlot) override {}
  bool goes_by_formation() const override { return true; }
  void formed(WarpSlot warp, const Formation& formation) override { pc_[warp] = formation.pc; }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    WarpSet at_current = at(current_, eligible);
    if (at_current == 0) at_current = choose(eligible);
    return oldest(at_current);
  }

 private:
  WarpSet at(std::uint32_t pc, WarpSet among) const {
    WarpSet found = 0;
    for (; among != 0; among &= among - 1) {
      const auto warp = static_cast<WarpSlot>(std::countr_zero(among));
      if (pc_[warp] == pc) found |= set_of(warp);
    }
    return found;
  }
  /// Of instructions with as many warps the first in the program.
  WarpSet choose(WarpSet eligible) {
    WarpSet most = 0;
    for (WarpSet left = eligible; left != 0;) {
      const std::uint32_t pc = pc_[static_cast<std::size_t>(std::countr_zero(left))];
      const WarpSet here = at(pc, left);
      left &= ~here;
      const int more = std::popcount(here) - std::popcount(most);
      if (more < 0 || (more == 0 && pc > current_)) continue;
      most = here;
      current_ = pc;
    }
    return most;
  }
  WarpSlot oldest(WarpSet among) const {
    auto found = static_cast<WarpSlot>(std::countr_zero(among));
    for (; among != 0; among &= among - 1) {
      const auto warp = static_cast<WarpSlot>(std::countr_zero(among));
      if (since_[warp] < since_[found]) found = warp;
    }
    return found;
  }

  std::uint32_t current_ = 0;
  std::uint64_t clock_ = 0;
  std::array<std::uint32_t, kMostWarps> pc_{};
  std::array<std::uint64_t, kMostWarps> since_{};
};

const SchedulerRegistry::Entry entry{
    "majority", "the instruction that most formed warps are at, until none is at it",
    [](const SchedulerPlace&) -> std::unique_ptr<Scheduler> {
      return std::make_unique<Majority>();
    }};

}  // namespace
}  // namespace heddle::sm
