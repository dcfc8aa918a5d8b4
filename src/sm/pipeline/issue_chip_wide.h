#pragma once

// The issue of instructions on what all multiprocessors share: they are executed between epochs.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// It goes through its passes now, and is executed between epochs.
template <class Travellers>
void IssueStage<Travellers>::issue_chip_wide(WarpSlot warp) {
  const auto passes = travellers_.passes(warp, *warps_[warp].next);
  for_each_pass(warp, passes, [](std::size_t, const Pass&, Cycle at) { return at; });
  chip_wide_.push_back(warp);
  sequencer_.block(warp, WarpState::awaits_chip, StallCause::sleeping);
}

template <class Travellers>
void IssueStage<Travellers>::execute_chip_wide() {
  std::size_t left = 0;
  for (std::size_t i = 0; i < chip_wide_.size(); ++i) {
    const WarpSlot warp = chip_wide_[i];
    // It may touch what they touch.
    if (memory_.atomics().any(warp)) {
      chip_wide_[left++] = warp;
      continue;
    }
    const Slot& slot = warps_[warp];
    travellers_.enter(warp);
    if (dependence_follows_lanes_) find_lanes(warp);
    const auto passes = travellers_.passes(warp, *slot.next);
    const Cycle after = std::max(now_ + Cycles(1), slot.since);
    for (const Row& row : travellers_.rows(warp)) row.warp->context.memory.stores = nullptr;
    travellers_.execute(warp, after);
    for (const Row& row : travellers_.rows(warp)) row.warp->context.memory.stores = &stores_;
    report_passed_by(warp);
    sequencer_.resume(warp);
    report_issued(warp, slot.grid->table, *slot.next,
                  {.at = now_, .done = after, .computed = after, .cause = StallCause::sleeping});
    report_executed(warp, passes);
    count_issue(warp, passes);
    sequencer_.follow(warp, travellers_.next(warp), after, StallCause::sleeping);
  }
  chip_wide_.resize(left);
}

}  // namespace heddle::sm
