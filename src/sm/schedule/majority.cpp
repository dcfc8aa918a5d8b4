// The majority policy of Fung et al. for dynamic warp formation, as described in Narasiman et al.,
// Improving GPU Performance via Large Warps and Two-Level Warp Scheduling, section 4: threads on
// rarely executed paths wait until no other threads are left.

#include <array>
#include <bit>

#include "sm/schedule/formed_warp_parameters.h"
#include "sm/schedule/scheduler.h"
#include "sm/schedule/warp_ranks.h"

namespace heddle::sm {
namespace {

/// Picks the warps at one instruction, the oldest first, until none is left. Then it continues with
/// the instruction at which most of the remaining warps are.
class Majority final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override {
    ages_.set(warp, ++clock_);
    hashed_with(pc_[warp]) |= set_of(warp);
  }
  void ended(WarpSlot warp) override {
    warps_at_current_ &= ~set_of(warp);
    hashed_with(pc_[warp]) &= ~set_of(warp);
  }
  void formed(WarpSlot warp, const Formation& formation) override {
    hashed_with(pc_[warp]) &= ~set_of(warp);
    hashed_with(formation.pc) |= set_of(warp);
    pc_[warp] = formation.pc;
    if (formation.pc == current_) warps_at_current_ |= set_of(warp);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    WarpSet candidates = eligible & warps_at_current_;
    if (candidates == 0) {
      choose(eligible);
      candidates = eligible & warps_at_current_;
    }
    return ages_.lowest_of(candidates);
  }

 private:
  /// Chooses the instruction with the most eligible warps; if there are several, the first in the
  /// program.
  void choose(WarpSet eligible) {
    warps_at_current_ = 0;
    for (WarpSet rest = eligible; rest != 0;) {
      const std::uint32_t pc = pc_[static_cast<std::size_t>(std::countr_zero(rest))];
      const WarpSet here = warps_at(pc, rest & hashed_with(pc));
      rest &= ~here;
      const int surplus = std::popcount(here) - std::popcount(warps_at_current_);
      if (surplus < 0 || (surplus == 0 && pc > current_)) continue;
      warps_at_current_ = here;
      current_ = pc;
    }
  }
  /// The members of `among` that are at the instruction `pc`.
  WarpSet warps_at(std::uint32_t pc, WarpSet among) const {
    WarpSet found = 0;
    for (; among != 0; among &= among - 1) {
      const auto warp = static_cast<WarpSlot>(std::countr_zero(among));
      if (pc_[warp] == pc) found |= set_of(warp);
    }
    return found;
  }

  WarpSet& hashed_with(std::uint32_t pc) { return by_hash_[pc % kHashes]; }

  static constexpr std::size_t kHashes = 256;
  /// The warps by a hash of their instruction's address: a search has to examine only those with
  /// the same hash.
  std::array<WarpSet, kHashes> by_hash_{};
  std::uint32_t current_ = 0;  ///< The address of the instruction whose warps are picked now.
  WarpSet warps_at_current_ = 0;
  std::uint64_t clock_ = 0;                    ///< The number of warps that have started.
  std::array<std::uint32_t, kMaxWarps> pc_{};  ///< By slot: the warp's next instruction.
  WarpRanks ages_{};
};

const SchedulerRegistry::Entry majority_entry{
    "majority", "the instruction at which most formed warps are, until none is left there",
    [](const FormedWarpParameters&, const SchedulerPlace&) {
      return std::make_unique<Majority>();
    }};

}  // namespace
}  // namespace heddle::sm
