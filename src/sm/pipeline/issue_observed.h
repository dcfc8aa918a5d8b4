#pragma once

// Issue of instructions on machines with parts that observe each instruction before it is executed.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// Reports an instruction that issues to parts that only some machines have. Returns whether it has
/// issued already: whether its results have been reused.
template <class ThreadGrouping>
bool IssueStage<ThreadGrouping>::observe_issue(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const StaticWarp& static_warp = grouping_.static_warps(warp).front();
  if (checks_reads_) {
    sub_cores_.of(warp).dependence->read_check()->check_reads(warp, slot.grid->table, *slot.next,
                                                              static_warp, now_);
  }
  if (!needs_.reused_results) return false;
  if (lookahead_->is_reusing(warp)) {
    issue_reused(warp);
    return true;
  }
  lookahead_->observe_issue(warp, *static_warp.warp);
  return false;
}

/// Issues an instruction whose results have been computed ahead. The simulator executes it, so that
/// its results can be compared. The hardware only renames them.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::issue_reused(WarpSlot warp) {
  const auto passes = grouping_.passes(warp, *warps_[warp].next);
  grouping_.execute(warp, left_pipeline(now_));
  const Cycle usable = lookahead_->reuse(warp, *grouping_.static_warps(warp).front().warp);
  const Cycle last_issue =
      for_each_pass(warp, passes, [](std::size_t, const Pass&, Cycle at) { return at; });
  finish_issue<false>(warp, passes, {.at = last_issue, .done = usable, .computed = usable});
}

}  // namespace heddle::sm
