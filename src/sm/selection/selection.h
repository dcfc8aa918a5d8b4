#pragma once

// Selection: in each cycle, each scheduler picks one of its warps that can issue.
//
// A ready warp can issue if its next instruction finds space in the hardware that it needs. A warp
// that waits for a mispredicted branch can issue an instruction of the wrong path instead. A warp
// that waits for memory can issue an instruction ahead, if no warp of its scheduler can issue one
// of these.

#include <span>

#include "base/cycle.h"
#include "sm/branch/wrong_paths.h"
#include "sm/hazards/structural_hazards.h"
#include "sm/ids.h"
#include "sm/lookahead/lookahead_unit.h"
#include "sm/schedule/warp_schedulers.h"
#include "sm/selection/issue_cycle.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

class Selection {
 public:
  /// `hazards`: those of each sub-core. `wrong_paths`: null if branches are not predicted.
  /// `lookahead`: null if no warp runs ahead.
  Selection(WarpTable& warps, WarpSchedulers& schedulers,
            std::span<const StructuralHazards> hazards, WrongPaths* wrong_paths,
            LookaheadUnit* lookahead = nullptr)
      : warps_(warps),
        schedulers_(schedulers),
        hazards_(hazards),
        wrong_paths_(wrong_paths),
        lookahead_(lookahead),
        speculates_(wrong_paths != nullptr || lookahead != nullptr) {}

  /// Each scheduler in turn picks a warp, if one can issue. Calls issue(warp, kind) for each picked
  /// warp before the next scheduler picks, because warps contend for space.
  template <class Issue>
  IssueCycle select(Cycle now, Issue&& issue);
  /// Called in a cycle in which no warp issued. Returns the first cycle after it in which a warp
  /// may be able to issue, or a scheduler updates, if no warp wakes and no queue to memory changes.
  Cycle next_change(Cycle now) const;
  /// Whether a ready warp can issue because the queue to memory that it needs has space.
  bool has_space_for_memory() const;

 private:
  WarpSet candidates(const SchedulerState& scheduler, WarpSet on_wrong_path, Cycle now,
                     IssueCycle& cycle) const;
  WarpSet with_space_on_wrong_path(const StructuralHazards& hazards, WarpSet warps,
                                   Cycle now) const;

  /// Warps that wait, and whose next speculative instruction is due.
  struct SpeculativeWarps {
    WarpSet on_wrong_path = 0;
    WarpSet ahead = 0;
  };
  SpeculativeWarps find_speculative(Cycle now) const;
  WarpSlot pick_ahead(const SchedulerState& scheduler, WarpSet ahead, Cycle now) const;

  WarpTable& warps_;
  WarpSchedulers& schedulers_;
  std::span<const StructuralHazards> hazards_;  ///< By sub-core.
  WrongPaths* wrong_paths_;                     ///< Null if branches are not predicted.
  LookaheadUnit* lookahead_;                    ///< Null if no warp runs ahead.
  bool speculates_;                             ///< Whether any of the two is not null.
};

/// The warps from which the scheduler picks: those that can issue. Those that cannot are added to
/// `cycle`.
[[gnu::always_inline]] inline WarpSet Selection::candidates(const SchedulerState& scheduler,
                                                            WarpSet on_wrong_path, Cycle now,
                                                            IssueCycle& cycle) const {
  if (scheduler.is_busy_at(now)) {
    cycle.busy_scheduler_warps |= scheduler.warps;
    return 0;
  }
  const StructuralHazards& hazards = hazards_[scheduler.sub_core];
  WarpSet eligible = warps_.ready() & scheduler.warps;
  if (eligible != 0) {
    const WarpSet behind = hazards.stuck_behind_results(eligible, now);
    cycle.behind_results |= behind;
    eligible &= ~behind;
    if (eligible != 0) eligible &= ~hazards.stuck_warps(eligible, now);
  }
  if (on_wrong_path != 0)
    eligible |= with_space_on_wrong_path(hazards, on_wrong_path & scheduler.warps, now);
  cycle.eligible |= eligible;
  return eligible;
}

template <class Issue>
[[gnu::always_inline]] inline IssueCycle Selection::select(Cycle now, Issue&& issue) {
  IssueCycle cycle{.now = now};
  SpeculativeWarps speculative;
  if (speculates_) [[unlikely]]
    speculative = find_speculative(now);
  const std::uint32_t count = schedulers_.count();
  const auto first = schedulers_.first_in_turn(now);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = first + i < count ? first + i : first + i - count;
    SchedulerState& scheduler = schedulers_.state(number);
    const WarpSet eligible = candidates(scheduler, speculative.on_wrong_path, now, cycle);
    const WarpSlot warp = eligible == 0 ? kNoWarp : scheduler.policy->pick(eligible, now);
    if (warp == kNoWarp) {
      if (eligible != 0) {
        cycle.withheld |= eligible;
        schedulers_.picked_none(scheduler, now);
      } else if (speculative.ahead != 0) [[unlikely]] {
        if (const WarpSlot picked = pick_ahead(scheduler, speculative.ahead, now);
            picked != kNoWarp) {
          schedulers_.issue(scheduler, now);
          ++cycle.speculative;
          issue(picked, IssueKind::ahead);
          continue;
        }
      }
      // A scheduler that is busy with the passes of its last instruction issues the next pass.
      if (scheduler.has_pass_at(now, schedulers_.interval())) {
        ++cycle.issued;
      } else {
        cycle.idle |= std::uint64_t{1} << number;
      }
      continue;
    }
    if (scheduler.policy->may_exclude_warps()) {
      cycle.withheld |= eligible & ~set_of(warp) & scheduler.policy->excluded_warps();
    }
    schedulers_.issue(scheduler, now);
    const bool is_wrong = (speculative.on_wrong_path & set_of(warp)) != 0;
    ++(is_wrong ? cycle.speculative : cycle.issued);
    issue(warp, is_wrong ? IssueKind::wrong_path : IssueKind::normal);
  }
  return cycle;
}

}  // namespace heddle::sm
