#pragma once

// Issue: an instruction is executed, what it takes is booked pass by pass, and its results' time is
// computed. Of a warp that travels alone there is one pass; where a slot's threads lie in several
// rows, the instruction is executed for all of them and goes through its unit in passes, one a
// cycle, while its scheduler chooses nothing else.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sm/pipeline/gathered_passes.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/sequencer.h"
#include "sm/pipeline/travellers.h"
#include "sm/redundancy/issue_plans.h"

namespace heddle::sm {

template <class Travellers>
class IssueStage {
 public:
  IssueStage(const PipelineParts& parts, Travellers& travellers, Sequencer<Travellers>& sequencer)
      : now_(parts.now),
        nanoseconds_per_cycle_(1000.0 / parts.core_mhz),
        barrier_latency_(parts.description.barrier.latency),
        pipeline_length_(parts.description.units.integer.latency),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        dependence_(parts.dependence),
        dependence_follows_lanes_(parts.dependence.follows_lanes()),
        dependence_looks_at_values_(parts.dependence.looks_at_values()),
        operands_(parts.operands),
        operands_follow_control_(parts.operands.follows_control()),
        branch_cycles_(parts.operands.branch_cycles()),
        branch_(parts.branch),
        predicts_(parts.branch.predicts()),
        units_(parts.units),
        memory_(parts.memory),
        stores_(parts.stores),
        counters_(parts.counters),
        plans_(parts.redundancy),
        travellers_(travellers),
        sequencer_(sequencer) {}

  void issue(WarpSlot warp);
  void resume_fenced();
  bool any_fenced() const { return fenced_ != 0; }
  bool has_chip_wide() const { return !chip_wide_.empty(); }
  void execute_chip_wide();

 private:
  template <bool kPlanned>
  void issue_arithmetic(WarpSlot warp);
  Cycle issue_copies(std::uint32_t copies, const Pass& pass, Cycle at);
  void issue_access(WarpSlot warp, MemoryAction action);
  void issue_atomic(WarpSlot warp);
  void issue_control(WarpSlot warp);
  void issue_chip_wide(WarpSlot warp);
  template <class Passes, class Each>
  Cycle for_each_pass(WarpSlot warp, Passes passes, Each each);
  /// Reports to the dependence logic what it has to know of an instruction that has issued.
  void report_issued(WarpSlot warp, const IssueTable& table, const IssueInfo& info, Issued issued) {
    issued.lanes = executing_;
    dependence_.issue(warp, table, info, issued);
  }
  template <class Passes>
  void finish_issue(WarpSlot warp, Passes passes, const Issued& issued);
  /// Takes the passes by value: given by address, they would lie in memory, and not in registers,
  /// in all that comes before.
  template <class Passes>
  void report_executed(WarpSlot warp, Passes passes) {
    if (plans_.any()) plans_.report_executed(warp, warps_[warp], travellers_.rows(warp), passes);
  }
  /// It has been executed, and has read and written nothing through the operands.
  void report_passed_by(WarpSlot warp) {
    if (!operands_follow_control_) return;
    const Slot& slot = warps_[warp];
    operands_.passed_by({warp, slot.grid->table, *slot.next}, travellers_.rows(warp), now_);
  }
  template <class Passes>
  void count_issue(WarpSlot warp, Passes passes);
  void follow_control(WarpSlot warp, Next next, Cycle issued);
  Cycle fetch_from(Cycle from, bool with_branch) const {
    return with_branch ? sequencer_.fetch_for(from) : from;
  }
  void find_sides(WarpSlot warp, BranchOutcome& outcome);
  void trace_issue(WarpSlot warp);
  [[gnu::noinline]] void look_at_values(WarpSlot warp) {
    const Slot& slot = warps_[warp];
    dependence_.begin(warp, slot.grid->table, *slot.next, travellers_.rows(warp).front(), now_);
  }
  void find_lanes(WarpSlot warp) {
    executing_ = LaneMask(travellers_.rows(warp).front().warp->context.active);
  }
  std::uint64_t threads_on_path(WarpSlot warp) const {
    std::uint64_t threads = 0;
    for (const Row& row : travellers_.rows(warp)) {
      threads += static_cast<std::uint64_t>(row.path.count());
    }
    return threads;
  }
  void report_time(exec::LaneContext& context) const {
    context.clock = now_.number;
    context.nanoseconds =
        static_cast<std::uint64_t>(static_cast<double>(now_.number) * nanoseconds_per_cycle_);
  }
  /// An instruction without a result of its own is over when an integer one would be.
  Cycle left_pipeline(Cycle start) const { return start + pipeline_length_; }
  /// `is_known`: when its data come is known at issue. Of constants that means a hit; what else is
  /// cached counts as long whether it hits or not.
  static StallCause cause_of_wait_for(const IssueInfo& access, bool is_known) {
    const bool is_short =
        access.resource == Resource::shared || (access.route == MemoryRoute::constant && is_known);
    return is_short ? StallCause::short_scoreboard : StallCause::long_scoreboard;
  }

  const Cycle& now_;
  double nanoseconds_per_cycle_;
  Cycles barrier_latency_;
  Cycles pipeline_length_;
  WarpTable& warps_;
  Residents& residents_;
  WarpSchedulers& schedulers_;
  Dependence& dependence_;
  bool dependence_follows_lanes_;
  bool dependence_looks_at_values_;
  Operands& operands_;
  bool operands_follow_control_;
  Cycles branch_cycles_;  ///< By which operands delay the resolution of branches.
  BranchUnit& branch_;
  bool predicts_;  ///< What follows branches.
  ExecutionUnits& units_;
  MemoryStage& memory_;
  exec::EpochStores& stores_;
  IssueCounters& counters_;
  IssuePlans plans_;
  Travellers& travellers_;
  Sequencer<Travellers>& sequencer_;
  GatheredPasses gathered_;
  LaneMask executing_{};  ///< Lanes of the instruction that issues, where they are followed.
  std::vector<WarpSlot> chip_wide_;  ///< To be executed between epochs.
  WarpSet fenced_ = 0;               ///< At a fence that waits for the epoch's end.
};

template <class Travellers>
void IssueStage<Travellers>::issue(WarpSlot warp) {
  const IssueInfo& info = *warps_[warp].next;
  travellers_.picked(warp);
  travellers_.enter(warp);
  if (warps_.trace()) trace_issue(warp);
  if (dependence_follows_lanes_) find_lanes(warp);
  if (dependence_looks_at_values_) [[unlikely]]
    look_at_values(warp);
  if (info.reads_time) {
    for (const Row& row : travellers_.rows(warp)) report_time(row.warp->context);
  }
  switch (info.kind) {
    case InstructionKind::arithmetic:
      return plans_.any() ? issue_arithmetic<true>(warp) : issue_arithmetic<false>(warp);
    case InstructionKind::load:
    case InstructionKind::texture:
      return issue_access(warp, MemoryAction::load);
    case InstructionKind::store:
      return issue_access(warp, MemoryAction::store);
    case InstructionKind::atomic:
      return issue_atomic(warp);
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::other:
      return issue_control(warp);
    case InstructionKind::chip_wide:
      return issue_chip_wide(warp);
  }
}

/// each(number, pass, at) for each pass and the cycle in which it can issue; it returns that in
/// which it does. Returns that of the last.
template <class Travellers>
template <class Passes, class Each>
Cycle IssueStage<Travellers>::for_each_pass(WarpSlot warp, Passes passes, Each each) {
  const Cycle now = now_;
  Cycle at = now;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (i > 0) {
      at = at + schedulers_.interval();
      at = std::max(at, operands_.free_from(at));
    }
    at = each(i, passes[i], at);
  }
  if (at > now) schedulers_.hold(warp, at);
  warps_[warp].since = at + Cycles(1);
  return at;
}

/// `kPlanned`: what each pass takes is planned before it is executed (sm/redundancy).
template <class Travellers>
template <bool kPlanned>
[[gnu::always_inline]] inline void IssueStage<Travellers>::issue_arithmetic(WarpSlot warp) {
  const IssueInfo& info = *warps_[warp].next;
  const IssueTable& table = warps_[warp].grid->table;
  const auto passes = travellers_.passes(warp, info);
  if constexpr (kPlanned) plans_.make(warp, warps_[warp], travellers_.rows(warp), passes);
  travellers_.execute(warp, left_pipeline(now_));
  Cycle done = now_;
  Cycle all_computed = now_;
  Cycles held;
  const IssuedInstruction issued{warp, table, info};
  const Cycle last = for_each_pass(warp, passes, [&](std::size_t i, const Pass& pass, Cycle at) {
    if constexpr (kPlanned) at = issue_copies(plans_[i].copies, pass, at);
    const Cycle start = operands_.read_sources({issued, travellers_.rows(warp), pass, i}, at);
    Cycle computed;
    if constexpr (kPlanned) {
      const Plan& plan = plans_[i];
      computed = plan.slices == 0
                     ? start + plan.skipped
                     : units_.execute_slices(info.unit, start, info.expansion, plan.slices);
      held += plan.held;
    } else {
      computed = units_.execute(info.unit, start, info.expansion);
    }
    all_computed = std::max(all_computed, computed);
    const Cycle written = operands_.write_results(issued, computed);
    if (written > done) done = written;
    return at;
  });
  if constexpr (kPlanned) schedulers_.hold_longer(warp, held);
  finish_issue(
      warp, passes,
      {.at = last,
       .done = done,
       .computed = all_computed,
       .cause = info.unit == UnitKind::special ? StallCause::short_scoreboard : StallCause::wait});
}

/// Moves that are no instructions of the program issue from `at` on, with the pass's lanes. Returns
/// the cycle in which the pass itself issues.
template <class Travellers>
Cycle IssueStage<Travellers>::issue_copies(std::uint32_t copies, const Pass& pass, Cycle at) {
  counters_.warp_instructions += copies;
  counters_.lanes[static_cast<std::size_t>(pass.lanes.count())] += copies;
  for (std::uint32_t i = 0; i < copies; ++i) {
    units_.execute(UnitKind::integer, at, 1);
    at += schedulers_.interval();
  }
  return at;
}

template <class Travellers>
void IssueStage<Travellers>::issue_control(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  const std::uint32_t resident = slot.resident;
  const auto passes = travellers_.passes(warp, info);
  // Where it goes is known when the last pass has left the pipeline.
  const Cycle last = for_each_pass(warp, passes, [&](std::size_t, const Pass&, Cycle at) {
    if (info.kind == InstructionKind::branch) units_.also_active(at, Cycles(1));
    return at;
  });
  const bool releases =
      info.kind == InstructionKind::barrier || info.kind == InstructionKind::branch;
  const Cycle released = releases ? last + barrier_latency_ : left_pipeline(last);
  travellers_.execute(warp, released);
  report_passed_by(warp);
  report_executed(warp, passes);
  count_issue(warp, passes);
  travellers_.end_finished_rows(now_ + Cycles(1));
  const Cycle left = left_pipeline(last);
  report_issued(warp, table, info, {.at = last, .done = left, .computed = left});
  const Next next = travellers_.next(warp);
  if (info.kind == InstructionKind::barrier) {
    sequencer_.follow(warp, next, last + barrier_latency_, StallCause::barrier);
  } else {
    follow_control(warp, next, last);
  }
  if (releases) travellers_.release_others(warp, resident, info, released);
}

/// What goes on after a control instruction that is no barrier, and issued at `issued`.
template <class Travellers>
void IssueStage<Travellers>::follow_control(WarpSlot warp, Next next, Cycle issued) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  if (info.waits_for_stores && !stores_.empty()) {
    // It goes on when all that was stored has been committed.
    fenced_ |= set_of(warp);
    return sequencer_.block(warp, WarpState::at_fence, StallCause::membar);
  }
  if (info.kind != InstructionKind::branch) {
    return sequencer_.follow(warp, next, issued + Cycles(1), StallCause::no_instruction);
  }
  BranchOutcome outcome{.pc = slot.pc,
                        .next = next.fate == Next::Fate::goes_on ? next.pc : slot.pc,
                        .late = branch_cycles_};
  if (predicts_) find_sides(warp, outcome);
  const NextFetch fetch = branch_.next_fetch(warp, info, outcome, issued);
  const Cycle from = fetch_from(fetch.from, fetch.with_branch);
  if (fetch.mispredicted && next.fate == Next::Fate::goes_on) {
    return sequencer_.follow_after_wrong_path(
        warp, next, from, outcome.taken, fetch_from(fetch.wrong_from, fetch.wrong_with_branch));
  }
  sequencer_.follow(warp, next, from, StallCause::branch_resolving);
}

/// Which of its threads have taken the branch that the warp has executed.
template <class Travellers>
void IssueStage<Travellers>::find_sides(WarpSlot warp, BranchOutcome& outcome) {
  bool stays = false;
  for (const Row& row : travellers_.rows(warp)) {
    const LaneMask taken(row.warp->context.active);
    outcome.taken = outcome.taken || !taken.empty();
    stays = stays || !row.path.without(taken).empty();
  }
  outcome.diverged = outcome.taken && stays;
}

template <class Travellers>
void IssueStage<Travellers>::resume_fenced() {
  for_each_warp(std::exchange(fenced_, 0), [this](WarpSlot warp) {
    // The fence may still have passes to issue.
    sequencer_.resume_at(warp, std::max(now_, warps_[warp].since), StallCause::membar);
  });
}

template <class Travellers>
template <class Passes>
[[gnu::always_inline]] inline void IssueStage<Travellers>::finish_issue(WarpSlot warp,
                                                                        Passes passes,
                                                                        const Issued& issued) {
  const Slot& slot = warps_[warp];
  report_issued(warp, slot.grid->table, *slot.next, issued);
  report_executed(warp, passes);
  count_issue(warp, passes);
  sequencer_.follow(warp, travellers_.next(warp), issued.at + Cycles(1),
                    StallCause::no_instruction);
}

template <class Travellers>
template <class Passes>
[[gnu::always_inline]] inline void IssueStage<Travellers>::count_issue(WarpSlot warp,
                                                                       Passes passes) {
  const Slot& slot = warps_[warp];
  const std::uint64_t threads = threads_on_path(warp);
  for (const Pass& pass : passes) ++counters_.lanes[static_cast<std::size_t>(pass.lanes.count())];
  counters_.warp_instructions += passes.size();
  counters_.thread_instructions += threads;
  // Launches add up their blocks; a slot's are of one launch.
  BlockCount& block = residents_[slot.resident].count;
  block.warp_instructions += passes.size();
  block.thread_instructions += threads;
  if (slot.profile == nullptr) return;
  for (const Pass& pass : passes) {
    const auto lanes = static_cast<std::uint32_t>(pass.lanes.count());
    slot.profile->add_stretch(slot.pc, slot.pc + 1, lanes);
  }
}

template <class Travellers>
[[gnu::cold]] void IssueStage<Travellers>::trace_issue(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const std::size_t passes = travellers_.passes(warp, *slot.next).size();
  warps_.trace().issue(now_, warp, slot.pc, threads_on_path(warp), passes);
}

}  // namespace heddle::sm

#include "sm/pipeline/issue_chip_wide.h"
#include "sm/pipeline/issue_memory.h"
