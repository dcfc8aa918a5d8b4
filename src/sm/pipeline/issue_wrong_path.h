#pragma once

// Issue of instructions on a wrong path, after a mispredicted branch. They are not executed, but
// occupy their units, and the next ones are fetched.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// Issues the next instruction of the warp's wrong path.
template <class ThreadGrouping>
[[gnu::cold]] void IssueStage<ThreadGrouping>::issue_on_wrong_path(WarpSlot warp) {
  const std::uint32_t pc = wrong_paths_->pc(warp);
  const Cycle until = wrong_paths_->until(warp);
  const IssueInfo& info = warps_[warp].grid->table[pc];
  warps_.trace().issue_wrong_path(now_, warp, pc);
  SubCore& core = sub_cores_.of(warp);
  if (ExecutionUnits::has(info.unit)) {
    core.units.execute_wrong_path(info.unit, now_ + core.operand_policy->read_latency(),
                                  info.expansion, until, wrong_paths_->threads(warp));
  }
  if (!wrong_paths_->issue(warp)) return;
  wrong_paths_->set_fetched(
      warp, core.front_end.advance_speculatively(warp, pc + 1, now_ + Cycles(1), until));
}

}  // namespace heddle::sm
