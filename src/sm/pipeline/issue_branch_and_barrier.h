#pragma once

// Issue of control instructions: branches, barriers, fences and exits. The issue cycle of the last
// pass decides when a branch is resolved, when a barrier releases its warps, and when the next
// fetch may start.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::issue_control(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  const std::uint32_t block_slot = slot.block_slot;
  const auto passes = grouping_.passes(warp, info);
  ExecutionUnits& units = sub_cores_.of(warp).units;
  // The outcome of a branch is known only when its last pass has left the pipeline.
  const Cycle last_issue = for_each_pass(warp, passes, [&](std::size_t, const Pass&, Cycle at) {
    if (info.kind == InstructionKind::branch) units.add_active_cycles(at, Cycles(1));
    return at;
  });
  const bool may_release =
      info.kind == InstructionKind::barrier || info.kind == InstructionKind::branch;
  const Cycle released = may_release ? last_issue + barrier_latency_ : left_pipeline(last_issue);
  grouping_.execute(warp, released);
  report_control(warp);
  report_executed(warp, passes);
  count_issue(warp, passes);
  grouping_.end_finished_static_warps(now_ + Cycles(1));
  const Cycle done = left_pipeline(last_issue);
  report_issued(warp, table, info, {.at = last_issue, .done = done, .computed = done});
  const NextStep next = grouping_.next(warp);
  if (info.kind == InstructionKind::barrier) {
    sequencer_.proceed(warp, next, last_issue + barrier_latency_, WaitReason::barrier);
  } else {
    proceed_after_control(warp, next, last_issue);
  }
  if (may_release) grouping_.release_others(warp, block_slot, info, released);
}

/// Continues the warp after a control instruction that is not a barrier. `issued`: the cycle in
/// which its last pass has issued.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::proceed_after_control(WarpSlot warp, NextStep next, Cycle issued) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  if (info.waits_for_stores && !stores_.empty()) {
    // The warp resumes when all stores of the epoch have been committed.
    fenced_ |= set_of(warp);
    return sequencer_.block(warp, WarpState::at_fence, WaitReason::fence);
  }
  if (info.kind != InstructionKind::branch) {
    return sequencer_.proceed(warp, next, issued + Cycles(1), WaitReason::fetch);
  }
  BranchOutcome outcome{.pc = slot.pc,
                        .next = next.kind == NextStep::Kind::continues ? next.pc : slot.pc,
                        .delay = branch_cycles_};
  if (needs_.branch_outcomes) find_outcome(warp, outcome);
  const NextFetch fetch = branch_.next_fetch(warp, info, outcome, issued);
  const Cycle from = fetch_from(fetch.from, fetch.with_branch);
  if (fetch.mispredicted && next.kind == NextStep::Kind::continues) {
    wrong_paths_->set_threads(warp, threads_on_path(warp));
    return sequencer_.proceed_after_misprediction(
        warp, next, from, outcome.taken, fetch_from(fetch.wrong_from, fetch.wrong_with_branch));
  }
  sequencer_.proceed(warp, next, from, WaitReason::branch_resolution);
}

/// Sets outcome.taken: whether any thread has taken the branch that the warp has executed, and
/// outcome.diverged: whether only some of the threads have.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::find_outcome(WarpSlot warp, BranchOutcome& outcome) {
  bool any_stays = false;
  for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
    const LaneMask taken(static_warp.warp->context.active);
    outcome.taken = outcome.taken || !taken.empty();
    any_stays = any_stays || !static_warp.path.without(taken).empty();
  }
  outcome.diverged = outcome.taken && any_stays;
}

}  // namespace heddle::sm
