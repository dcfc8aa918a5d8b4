#pragma once

// The pipeline, compiled for an answer to which threads travel together. Only files of
// sm/divergence that register an answer include it.

#include <vector>

#include "exec/livelock/rehearsal.h"
#include "sm/pipeline/issue_stage.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/sequencer.h"
#include "sm/pipeline/travellers.h"
#include "sm/standings.h"

namespace heddle::sm {

template <class T>
requires Travellers<T>
class PipelineOf final : public Pipeline {
 public:
  /// `own`: parameters of the answer.
  template <class... Own>
  explicit PipelineOf(const PipelineParts& parts, const Own&... own)
      : warps_(parts.warps),
        residents_(parts.residents),
        travellers_(parts, sequencer_, own...),
        sequencer_(parts, travellers_),
        issue_(parts, travellers_, sequencer_) {}

  void prefetch(WarpSet warps) override {
    for_each_warp(warps, [this](WarpSlot warp) { travellers_.prefetch(warp, warps_[warp].pc); });
  }
  void issue(WarpSlot warp) override { issue_.issue(warp); }
  void wake(WarpSet warps) override { sequencer_.wake(warps); }
  void complete(const MemoryCompletion& completion) override { sequencer_.complete(completion); }
  void start_warps() override { travellers_.start_warps(); }
  void resume_fenced() override { issue_.resume_fenced(); }
  bool any_fenced() const override { return issue_.any_fenced(); }
  bool has_chip_wide() const override { return issue_.has_chip_wide(); }
  void execute_chip_wide() override { issue_.execute_chip_wide(); }
  void add_standings(std::vector<exec::Standing>& standings) const override {
    travellers_.add_standings(standings);
    add_unstarted(residents_, standings);
  }
  bool add_idle(exec::Rehearsal& rehearsal, std::vector<exec::Standing>& standings) const override {
    if (is_any_ending(warps_)) return false;
    add_unstarted(residents_, standings);
    return travellers_.add_idle(rehearsal, standings);
  }
  const Resident* stuck_block() const override {
    const Resident* stuck = nullptr;
    bool waits = false;
    residents_.for_each([&](const Resident& resident) {
      if (!travellers_.may_be_stuck(resident)) return;
      // A block with threads at a barrier says most.
      const bool has_waiting = resident.block->waiting_warps() != 0;
      if (stuck == nullptr || (has_waiting && !waits)) stuck = &resident;
      waits = waits || has_waiting;
    });
    return stuck;
  }

 private:
  const WarpTable& warps_;
  const Residents& residents_;
  T travellers_;
  Sequencer<T> sequencer_;
  IssueStage<T> issue_;
};

}  // namespace heddle::sm
