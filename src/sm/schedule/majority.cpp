// Fung et al.'s majority policy for dynamic warp formation, as Narasiman et al., Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling, section 4, describe it: threads that
// take rarely executed paths starve until no others are left.

#include <array>
#include <bit>

#include "sm/schedule/for_formed_warps.h"
#include "sm/schedule/scheduler.h"
#include "sm/schedule/warp_ranks.h"

namespace heddle::sm {
namespace {

/// All warps at one instruction, the oldest first, then all those at the one that most of the
/// others are at.
class Majority final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override {
    ages_.set(warp, ++clock_);
    group_of(pc_[warp]) |= set_of(warp);
  }
  void ended(WarpSlot warp) override {
    at_current_ &= ~set_of(warp);
    group_of(pc_[warp]) &= ~set_of(warp);
  }
  void formed(WarpSlot warp, const Formation& formation) override {
    group_of(pc_[warp]) &= ~set_of(warp);
    group_of(formation.pc) |= set_of(warp);
    pc_[warp] = formation.pc;
    if (formation.pc == current_) at_current_ |= set_of(warp);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    WarpSet candidates = eligible & at_current_;
    if (candidates == 0) {
      choose(eligible);
      candidates = eligible & at_current_;
    }
    return ages_.first_of(candidates);
  }

 private:
  /// Of instructions with as many warps the first in the program.
  void choose(WarpSet eligible) {
    at_current_ = 0;
    for (WarpSet left = eligible; left != 0;) {
      const std::uint32_t pc = pc_[static_cast<std::size_t>(std::countr_zero(left))];
      const WarpSet here = at(pc, left & group_of(pc));
      left &= ~here;
      const int more = std::popcount(here) - std::popcount(at_current_);
      if (more < 0 || (more == 0 && pc > current_)) continue;
      at_current_ = here;
      current_ = pc;
    }
  }
  WarpSet at(std::uint32_t pc, WarpSet among) const {
    WarpSet found = 0;
    for (; among != 0; among &= among - 1) {
      const auto warp = static_cast<WarpSlot>(std::countr_zero(among));
      if (pc_[warp] == pc) found |= set_of(warp);
    }
    return found;
  }

  WarpSet& group_of(std::uint32_t pc) { return groups_[pc % kGroups]; }

  static constexpr std::size_t kGroups = 256;
  /// Those at some instructions, so that few are looked at.
  std::array<WarpSet, kGroups> groups_{};
  std::uint32_t current_ = 0;
  WarpSet at_current_ = 0;
  std::uint64_t clock_ = 0;
  std::array<std::uint32_t, kMostWarps> pc_{};
  WarpRanks ages_{};
};

const SchedulerRegistry::Entry majority_entry{
    "majority", "the instruction that most formed warps are at, until none is at it",
    [](const ForFormedWarps&, const SchedulerPlace&) { return std::make_unique<Majority>(); }};

}  // namespace
}  // namespace heddle::sm
