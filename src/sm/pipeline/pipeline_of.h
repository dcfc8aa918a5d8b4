#pragma once

// PipelineOf is the pipeline compiled for one divergence policy. Only the files of sm/divergence
// that register a policy include this header.

#include <vector>

#include "exec/livelock/livelock_probe.h"
#include "sm/pipeline/issue_branch_and_barrier.h"
#include "sm/pipeline/issue_chip_wide.h"
#include "sm/pipeline/issue_memory.h"
#include "sm/pipeline/issue_observed.h"
#include "sm/pipeline/issue_operands.h"
#include "sm/pipeline/issue_stage.h"
#include "sm/pipeline/issue_wrong_path.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/sequence_speculation.h"
#include "sm/pipeline/sequencer.h"
#include "sm/pipeline/thread_grouping.h"
#include "sm/redundancy/issue_plans.h"
#include "sm/residency/unstarted_warps.h"
#include "sm/warps/slot_status.h"

namespace heddle::sm {

template <class T>
requires ThreadGrouping<T>
class PipelineOf final : public Pipeline {
 public:
  /// `policy_parameters`: the parameters that only this policy has.
  template <class... PolicyParameters>
  explicit PipelineOf(const PipelineParts& parts, const PolicyParameters&... policy_parameters)
      : warps_(parts.warps),
        residents_(parts.residents),
        plans_(parts.redundancy, parts.counters.one_lane, parts.now),
        grouping_(parts, sequencer_, policy_parameters...),
        sequencer_(parts, grouping_, plans_),
        issue_(parts, grouping_, sequencer_, plans_) {}

  void prefetch(WarpSet warps) override {
    for_each_warp(warps, [this](WarpSlot warp) { grouping_.prefetch(warp, warps_[warp].pc); });
  }
  void issue(WarpSlot warp, IssueKind kind) override { issue_.issue(warp, kind); }
  void wake(WarpSet warps) override { sequencer_.wake(warps); }
  void complete(const MemoryCompletion& completion) override { sequencer_.complete(completion); }
  void start_warps() override { grouping_.start_warps(); }
  void resume_fenced() override { issue_.resume_fenced(); }
  bool any_fenced() const override { return issue_.any_fenced(); }
  bool has_chip_wide() const override { return issue_.has_chip_wide(); }
  void execute_chip_wide() override { issue_.execute_chip_wide(); }
  void add_statuses(std::vector<exec::WarpStatus>& statuses) const override {
    grouping_.add_statuses(statuses);
    add_unstarted(residents_, statuses);
  }
  bool add_if_idle(exec::LivelockProbe& probe,
                   std::vector<exec::WarpStatus>& statuses) const override {
    if (is_any_ending(warps_)) return false;
    add_unstarted(residents_, statuses);
    return grouping_.add_if_idle(probe, statuses);
  }
  const ResidentBlock* stuck_block() const override {
    const ResidentBlock* stuck = nullptr;
    bool stuck_has_waiting = false;
    residents_.for_each([&](const ResidentBlock& resident) {
      if (!grouping_.may_be_stuck(resident)) return;
      // A block with threads at a barrier makes the most useful message.
      const bool has_waiting = resident.block->waiting_warps() != 0;
      if (stuck == nullptr || (has_waiting && !stuck_has_waiting)) stuck = &resident;
      stuck_has_waiting = stuck_has_waiting || has_waiting;
    });
    return stuck;
  }

 private:
  const WarpTable& warps_;
  const ResidentBlocks& residents_;
  IssuePlans plans_;
  T grouping_;
  Sequencer<T> sequencer_;
  IssueStage<T> issue_;
};

}  // namespace heddle::sm
