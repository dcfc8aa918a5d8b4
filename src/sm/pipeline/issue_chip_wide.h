#pragma once

// Issue of chip-wide instructions, which touch state that all multiprocessors share. They issue
// like other instructions, but are executed between epochs, when no multiprocessor runs.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// Issues the instruction, pass by pass. execute_chip_wide() executes it between epochs.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::issue_chip_wide(WarpSlot warp) {
  const auto passes = grouping_.passes(warp, *warps_[warp].next);
  for_each_pass(warp, passes, [](std::size_t, const Pass&, Cycle at) { return at; });
  chip_wide_.push_back(warp);
  sequencer_.block(warp, WarpState::awaits_chip, WaitReason::chip_wide_instruction);
}

/// Executes the chip-wide instructions that have issued, except those of warps with atomics in
/// flight: they remain in chip_wide_ until the next call.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::execute_chip_wide() {
  std::size_t remaining = 0;
  for (std::size_t i = 0; i < chip_wide_.size(); ++i) {
    const WarpSlot warp = chip_wide_[i];
    // The instruction may access the addresses of the warp's atomics in flight.
    if (memory_.atomics().has_any(warp)) {
      chip_wide_[remaining++] = warp;
      continue;
    }
    const Slot& slot = warps_[warp];
    grouping_.enter(warp);
    if (needs_.active_lanes) find_lanes(warp);
    const auto passes = grouping_.passes(warp, *slot.next);
    const Cycle after = std::max(now_ + Cycles(1), slot.issue_end);
    for (const StaticWarp& static_warp : grouping_.static_warps(warp))
      static_warp.warp->context.memory.stores = nullptr;
    grouping_.execute(warp, after);
    for (const StaticWarp& static_warp : grouping_.static_warps(warp))
      static_warp.warp->context.memory.stores = &stores_;
    report_control(warp);
    sequencer_.resume(warp);
    report_issued(warp, slot.grid->table, *slot.next,
                  {.at = now_,
                   .done = after,
                   .computed = after,
                   .reason = WaitReason::chip_wide_instruction});
    report_executed(warp, passes);
    count_issue(warp, passes);
    sequencer_.proceed(warp, grouping_.next(warp), after, WaitReason::chip_wide_instruction);
  }
  chip_wide_.resize(remaining);
}

}  // namespace heddle::sm
