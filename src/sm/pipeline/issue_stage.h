#pragma once

// The issue stage executes an instruction, books the hardware that it uses, and computes when its
// results are available.
//
// A static warp is 32 threads of a block with consecutive numbers. A warp slot contains one static
// warp, or a large or formed warp: threads of several static warps (sm/divergence). The instruction
// of a static warp issues in one pass. The instruction of a large or formed warp is executed at
// once for all its threads, but may issue in several passes (see Pass): one per issue interval. It
// occupies its scheduler until the last pass.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sm/lookahead/lookahead_unit.h"
#include "sm/pipeline/gathered_passes.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/sequencer.h"
#include "sm/pipeline/thread_grouping.h"
#include "sm/redundancy/issue_plans.h"

namespace heddle::sm {

/// Headers that are named after a kind of instruction, such as issue_memory.h, define the functions
/// that are not defined here.
template <class ThreadGrouping>
class IssueStage {
 public:
  IssueStage(const PipelineParts& parts, ThreadGrouping& grouping,
             Sequencer<ThreadGrouping>& sequencer, IssuePlans& plans)
      : needs_(parts.needs),
        now_(parts.now),
        nanoseconds_per_cycle_(1000.0 / parts.core_mhz),
        barrier_latency_(parts.description.barrier.latency),
        pipeline_length_(parts.description.units.integer.latency),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sub_cores_(parts.sub_cores),
        checks_reads_(sub_cores_[0].dependence->read_check() != nullptr),
        observes_issue_(checks_reads_ || parts.needs.reused_results),
        branch_cycles_(parts.description.operands.branch_cycles()),
        branch_(parts.branch),
        wrong_paths_(parts.wrong_paths),
        memory_(parts.memory),
        lookahead_(parts.lookahead),
        stores_(parts.stores),
        counters_(parts.counters),
        plans_(plans),
        grouping_(grouping),
        sequencer_(sequencer) {}

  // The public functions are described at Pipeline (sm/pipeline/pipeline.h).
  void issue(WarpSlot warp, IssueKind kind);
  void resume_fenced();
  bool any_fenced() const { return fenced_ != 0; }
  bool has_chip_wide() const { return !chip_wide_.empty(); }
  void execute_chip_wide();

 private:
  // `kPlanned`: a redundancy policy (sm/redundancy) plans, before the instruction is executed, how
  // each pass issues.
  template <bool kPlanned>
  void issue_executed(WarpSlot warp);
  template <bool kPlanned>
  void issue_arithmetic(WarpSlot warp);
  template <bool kPlanned>
  void issue_access(WarpSlot warp, MemoryAction action);
  template <bool kPlanned>
  void issue_atomic(WarpSlot warp);
  [[gnu::noinline]] void report_atomics(WarpSlot warp,
                                        const std::array<std::uint32_t, 32>& numbers);
  struct PassCycles {
    Cycle issue;     ///< When the pass issues.
    Cycle operands;  ///< When its operands go to the unit.
  };
  template <bool kPlanned>
  PassCycles read_sources(IssuedInstruction& issued, const Pass& pass, std::size_t number,
                          Cycle at);
  Cycle compute_planned(ExecutionUnits& units, const IssueInfo& info, std::size_t pass,
                        Cycle start);
  Cycle issue_copies(WarpSlot warp, std::uint32_t copies, const Pass& pass, Cycle at);
  template <bool kPlanned>
  Cycle write_memory_results(IssuedInstruction& issued, MemoryStage::Token token, Cycle done);
  void issue_control(WarpSlot warp);
  void issue_on_wrong_path(WarpSlot warp);
  void issue_chip_wide(WarpSlot warp);
  template <class Passes, class Each>
  Cycle for_each_pass(WarpSlot warp, Passes passes, Each each);
  /// Reports an issued instruction to the dependence logic.
  void report_issued(WarpSlot warp, const IssueTable& table, const IssueInfo& info, Issued issued) {
    issued.lanes = active_lanes_;
    sub_cores_.of(warp).dependence->issue(warp, table, info, issued);
  }
  template <bool kPlanned, class Passes>
  void finish_issue(WarpSlot warp, Passes passes, const Issued& issued);
  /// Reports to the redundancy policy, if there is one, that the instruction has been executed. The
  /// passes are taken by value, so that callers can keep them in registers of the host.
  template <class Passes>
  void report_executed(WarpSlot warp, Passes passes) {
    if (plans_.is_enabled())
      plans_.report_executed(warp, warps_[warp], grouping_.static_warps(warp), passes);
  }
  /// Reports to the operand logic a control instruction, whose operands it has neither read nor
  /// written.
  void report_control(WarpSlot warp) {
    OperandAccess& operands = sub_cores_.of(warp).operands;
    if (!operands.observes_control()) return;
    const Slot& slot = warps_[warp];
    operands.observe_control({warp, slot.grid->table, *slot.next}, grouping_.static_warps(warp),
                             now_);
  }
  template <class Passes>
  void count_issue(WarpSlot warp, Passes passes);
  void proceed_after_control(WarpSlot warp, NextStep next, Cycle issued);
  /// The cycle in which the fetch after a branch starts. `with_branch`: see NextFetch.
  Cycle fetch_from(Cycle from, bool with_branch) const {
    return with_branch ? sequencer_.fetch_for(from) : from;
  }
  void find_outcome(WarpSlot warp, BranchOutcome& outcome);
  void trace_issue(WarpSlot warp);
  [[gnu::noinline]] bool observe_issue(WarpSlot warp);
  void issue_reused(WarpSlot warp);
  /// Sets active_lanes_ for the instruction that issues.
  void find_lanes(WarpSlot warp) {
    active_lanes_ = LaneMask(grouping_.static_warps(warp).front().warp->context.active);
  }
  std::uint64_t threads_on_path(WarpSlot warp) const {
    std::uint64_t threads = 0;
    for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
      threads += static_cast<std::uint64_t>(static_warp.path.count());
    }
    return threads;
  }
  /// The threads of threads_on_path() for which the guard of the instruction holds.
  std::uint64_t active_threads(WarpSlot warp) const {
    std::uint64_t threads = 0;
    for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
      threads += static_cast<std::uint64_t>(LaneMask(static_warp.warp->context.active).count());
    }
    return threads;
  }
  /// Sets the values of the clock registers that the instruction may read.
  void report_time(exec::WarpContext& context) const {
    context.clock = now_.number;
    context.nanoseconds =
        static_cast<std::uint64_t>(static_cast<double>(now_.number) * nanoseconds_per_cycle_);
  }
  /// When an instruction without a result completes: after the latency of an integer instruction.
  Cycle left_pipeline(Cycle start) const { return start + pipeline_length_; }
  /// What a warp that needs the result of `access` waits for. `is_known`: whether the completion
  /// time is known at issue; for a constant, it is known after a hit. Accesses to shared
  /// memory and constant hits are short. Accesses to global and local memory and to textures are
  /// long, even if they hit.
  static WaitReason reason_of_wait_for(const IssueInfo& access, bool is_known) {
    const bool is_short =
        access.resource == Resource::shared || (access.route == MemoryRoute::constant && is_known);
    return is_short ? WaitReason::short_latency_result : WaitReason::long_latency_result;
  }

  PolicyNeeds needs_;
  const Cycle& now_;
  double nanoseconds_per_cycle_;
  Cycles barrier_latency_;
  Cycles pipeline_length_;  ///< The latency of an integer instruction.
  WarpTable& warps_;
  ResidentBlocks& residents_;
  WarpSchedulers& schedulers_;
  SubCores& sub_cores_;
  bool checks_reads_;     ///< Whether the values that instructions read are checked.
  bool observes_issue_;   ///< Whether observe_issue() is called.
  Cycles branch_cycles_;  ///< The delay that the operand logic adds to branch resolution.
  BranchUnit& branch_;
  WrongPaths* wrong_paths_;  ///< Null if branches are not predicted.
  MemoryStage& memory_;
  LookaheadUnit* lookahead_;  ///< Null if no warp runs ahead.
  exec::EpochStores& stores_;
  IssueCounters& counters_;
  IssuePlans& plans_;
  ThreadGrouping& grouping_;
  Sequencer<ThreadGrouping>& sequencer_;
  GatheredPasses gathered_;
  /// Active lanes of the issuing instruction, if the dependence policy needs them.
  LaneMask active_lanes_{};
  std::vector<WarpSlot> chip_wide_;  ///< Warps that wait to execute a chip-wide instruction.
  WarpSet fenced_ = 0;               ///< Warps that wait at a fence for the end of the epoch.
};

template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::issue(WarpSlot warp, IssueKind kind) {
  if (kind != IssueKind::normal) [[unlikely]]
    return kind == IssueKind::ahead ? lookahead_->issue(warp) : issue_on_wrong_path(warp);
  warps_.issue(warp);
  const IssueInfo& info = *warps_[warp].next;
  grouping_.note_pick(warp);
  grouping_.enter(warp);
  if (warps_.trace()) trace_issue(warp);
  if (needs_.active_lanes) find_lanes(warp);
  if (observes_issue_) [[unlikely]] {
    if (observe_issue(warp)) return;
  }
  if (info.reads_time) {
    for (const StaticWarp& static_warp : grouping_.static_warps(warp))
      report_time(static_warp.warp->context);
  }
  return plans_.is_enabled() ? issue_executed<true>(warp) : issue_executed<false>(warp);
}

template <class ThreadGrouping>
template <bool kPlanned>
[[gnu::always_inline]] inline void IssueStage<ThreadGrouping>::issue_executed(WarpSlot warp) {
  switch (warps_[warp].next->kind) {
    case InstructionKind::arithmetic:
      return issue_arithmetic<kPlanned>(warp);
    case InstructionKind::load:
    case InstructionKind::texture:
      return issue_access<kPlanned>(warp, MemoryAction::load);
    case InstructionKind::store:
      return issue_access<kPlanned>(warp, MemoryAction::store);
    case InstructionKind::atomic:
      return issue_atomic<kPlanned>(warp);
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::other:
      return issue_control(warp);
    case InstructionKind::chip_wide:
      return issue_chip_wide(warp);
  }
}

/// Calls each(number, pass, at) for each pass; `at` is the earliest cycle in which the pass can
/// issue. each() returns the cycle in which the pass issues. Returns the issue cycle of the last
/// pass.
template <class ThreadGrouping>
template <class Passes, class Each>
Cycle IssueStage<ThreadGrouping>::for_each_pass(WarpSlot warp, Passes passes, Each each) {
  const Cycle now = now_;
  Cycle at = now;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (i > 0) {
      at = at + schedulers_.interval();
      at = std::max(at, sub_cores_.of(warp).operands.free_from(at));
    }
    at = each(i, passes[i], at);
  }
  if (at > now) schedulers_.hold(warp, at);
  warps_.end_issue(warp, at);
  return at;
}

template <class ThreadGrouping>
template <bool kPlanned>
[[gnu::always_inline]] inline void IssueStage<ThreadGrouping>::issue_arithmetic(WarpSlot warp) {
  const IssueInfo& info = *warps_[warp].next;
  const IssueTable& table = warps_[warp].grid->table;
  const auto passes = grouping_.passes(warp, info);
  if constexpr (kPlanned) plans_.make(warp, warps_[warp], grouping_.static_warps(warp), passes);
  grouping_.execute(warp, left_pipeline(now_));
  SubCore& core = sub_cores_.of(warp);
  Cycle done = now_;
  Cycle all_computed = now_;
  IssuedInstruction issued{warp, table, info};
  const Cycle last_issue =
      for_each_pass(warp, passes, [&](std::size_t i, const Pass& pass, Cycle at) {
        const PassCycles cycles = read_sources<kPlanned>(issued, pass, i, at);
        Cycle computed;
        if constexpr (kPlanned) {
          computed = compute_planned(core.units, info, i, cycles.operands);
          if (core.operands.accesses_single_lanes()) plans_.count_writes(i, table.writes(info));
        } else {
          computed = core.units.execute(info.unit, cycles.operands, info.expansion) +
                     Cycles(info.result_delay);
        }
        all_computed = std::max(all_computed, computed);
        const Cycle written = core.operands.write_results(issued, computed);
        if (written > done) done = written;
        return cycles.issue;
      });
  if constexpr (!kPlanned) core.units.count_lanes(info.unit, info.expansion, active_threads(warp));
  finish_issue<kPlanned>(
      warp, passes,
      {.at = last_issue,
       .done = done,
       .computed = all_computed,
       .forwarded_from = !kPlanned || plans_.compute_all_slices() ? info.unit : UnitKind::control,
       .reason = info.unit == UnitKind::special ? WaitReason::short_latency_result
                                                : WaitReason::fixed_latency_result});
}

template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::resume_fenced() {
  for_each_warp(std::exchange(fenced_, 0), [this](WarpSlot warp) {
    // Passes of the fence itself may still have to issue.
    sequencer_.resume_at(warp, std::max(now_, warps_[warp].issue_end), WaitReason::fence);
  });
}

template <class ThreadGrouping>
template <bool kPlanned, class Passes>
[[gnu::always_inline]] inline void IssueStage<ThreadGrouping>::finish_issue(WarpSlot warp,
                                                                            Passes passes,
                                                                            const Issued& issued) {
  if constexpr (kPlanned) {
    if (plans_.interval()) schedulers_.free_at(warp, issued.at + *plans_.interval());
  }
  const Slot& slot = warps_[warp];
  report_issued(warp, slot.grid->table, *slot.next, issued);
  report_executed(warp, passes);
  count_issue(warp, passes);
  sequencer_.proceed(warp, grouping_.next(warp), issued.at + Cycles(1), WaitReason::fetch);
}

template <class ThreadGrouping>
template <class Passes>
[[gnu::always_inline]] inline void IssueStage<ThreadGrouping>::count_issue(WarpSlot warp,
                                                                           Passes passes) {
  const Slot& slot = warps_[warp];
  const std::uint64_t threads = threads_on_path(warp);
  for (const Pass& pass : passes) ++counters_.lanes[static_cast<std::size_t>(pass.lanes.count())];
  counters_.warp_instructions += passes.size();
  counters_.thread_instructions += threads;
  // Counts are kept per block and summed per launch. A slot may contain threads of several blocks,
  // but only of one launch.
  ResidentBlock& block = residents_[slot.block_slot];
  block.instructions.warp_instructions += passes.size();
  block.instructions.thread_instructions += threads;
  if (block.profile == nullptr) return;
  for (const Pass& pass : passes) {
    const auto lanes = static_cast<std::uint32_t>(pass.lanes.count());
    block.profile->add_instruction(slot.pc, lanes);
  }
}

template <class ThreadGrouping>
[[gnu::cold]] void IssueStage<ThreadGrouping>::trace_issue(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const std::size_t passes = grouping_.passes(warp, *slot.next).size();
  warps_.trace().issue(now_, warp, slot.pc, threads_on_path(warp), passes);
}

}  // namespace heddle::sm
