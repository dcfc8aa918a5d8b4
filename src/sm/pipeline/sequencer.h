#pragma once

// The sequencer moves a warp from one instruction to the next. The warp waits until its next
// instruction is fetched and the instruction's dependences allow it to issue; then the warp becomes
// ready. After its last instruction the warp ends.

#include <algorithm>
#include <cassert>

#include "exec/memory/memory_access.h"
#include "sm/lookahead/lookahead_unit.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/thread_grouping.h"
#include "sm/pipeline/warp_sequencer.h"
#include "sm/redundancy/issue_plans.h"

namespace heddle::sm {

template <class ThreadGrouping>
class Sequencer final : public WarpSequencer {
 public:
  Sequencer(const PipelineParts& parts, ThreadGrouping& grouping, IssuePlans& plans)
      : needs_(parts.needs),
        now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sub_cores_(parts.sub_cores),
        memory_(parts.memory),
        wrong_paths_(parts.wrong_paths),
        lookahead_(parts.lookahead),
        plans_(plans),
        grouping_(grouping),
        fetches_specially_(parts.needs.held_fetch || parts.needs.reused_results),
        waiting_state_(ThreadGrouping::kRegroupsEachInstruction ? WarpState::regrouping
                       : needs_.held_fetch                      ? WarpState::unfetched
                                                                : WarpState::waiting) {}

  // -- what follows an instruction ----------------------------------------------------------------
  /// The warp has executed the instruction at slot.pc, and takes the step `next`. Its next
  /// instruction issues at `from` at the earliest; until then, it waits for `reason`. If that
  /// instruction is not in the instruction buffer, its fetch starts at `from`. `refetches`: the
  /// instruction at slot.pc + 1 must be fetched even if it is in the buffer.
  void proceed(WarpSlot warp, NextStep next, Cycle from, WaitReason reason, bool refetches = false);
  /// The cycle in which the instruction cache must be accessed for an instruction to issue at `at`.
  Cycle fetch_for(Cycle at) const { return sub_cores_[0].front_end.access_for(at); }
  /// Like proceed(), after a mispredicted branch at slot.pc. `taken`: whether the branch is in fact
  /// taken. The instructions on the predicted side, the wrong path, are fetched from `wrong_from`
  /// on and dropped at `from`.
  void proceed_after_misprediction(WarpSlot warp, NextStep next, Cycle from, bool taken,
                                   Cycle wrong_from);
  /// The warp waits for an event whose cycle is not known.
  void block(WarpSlot warp, WarpState state, WaitReason reason) {
    warps_.block(warp, state, reason);
    report_wait(warp, reason);
  }
  /// The awaited event has arrived. The caller decides the next state.
  void resume(WarpSlot warp) { warps_.resume(warp, now_); }
  void complete(const MemoryCompletion& completion);  ///< See Pipeline::complete().
  void wake(WarpSet warps);                           ///< See Pipeline::wake().

  // -- called by divergence policies (see WarpSequencer) ------------------------------------------
  Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot, std::uint32_t pc) override;
  void start(WarpSlot warp, Cycle at) override { warps_.start(warp, at, now_); }
  void fetch(WarpSlot warp) override;
  void wait(WarpSlot warp, WarpState state, Cycle at, WaitReason reason) override {
    wait_until(warp, state, at, reason);
  }
  void resume_at(WarpSlot warp, Cycle at, WaitReason reason) override {
    resume(warp);
    proceed(warp, grouping_.next(warp), at, reason);
  }
  void leave(WarpSlot warp, Cycle at) override {
    schedulers_.end(warp);
    warps_.trace().end(at, warp, warps_[warp].pc);
    warps_.leave(warp);
  }

 private:
  void prepare(WarpSlot warp);
  void wait_until(WarpSlot warp, WarpState state, Cycle at, WaitReason reason);
  void resume_now(WarpSlot warp, WarpState state);
  void finish(WarpSlot warp);
  bool must_wait_for_atomics(WarpSlot warp);
  void trace_start(WarpSlot warp);
  /// Reports to the redundancy policy that the warp has started.
  [[gnu::cold]] void report_started(WarpSlot warp) {
    grouping_.enter(warp);
    plans_.report_started(warp, grouping_.static_warps(warp));
  }
  void report_wait(WarpSlot warp, WaitReason reason) {
    if (!is_long(reason)) return;
    // The scheduler may remove the warp from its active set. The warp must then not issue on its
    // wrong path.
    if (wrong_paths_ != nullptr) wrong_paths_->give_up(warp);
    if (needs_.suspension_at_marks && reason != WaitReason::barrier) return;
    schedulers_.scheduler_of(warp).begins_long_wait(warp, reason);
  }
  /// When the dependences of the next instruction allow it to issue, for the lanes that will
  /// execute it. The warp must consist of one static warp.
  [[gnu::noinline]] Readiness readiness_of_lanes(WarpSlot warp) {
    grouping_.enter(warp);
    const LaneMask lanes(grouping_.static_warps(warp).front().warp->context.active);
    const Slot& slot = warps_[warp];
    return sub_cores_.of(warp).dependence->ready(warp, slot.grid->table, *slot.next, lanes, now_);
  }
  /// The compiler has marked the next instruction: the warp leaves the scheduler's active set until
  /// its long-latency results have arrived. Accesses to shared memory are not long, so they do not
  /// remove a warp from the set (Gebhart, sections 2.5.2 and 6.3). Returns whether the warp waits:
  /// whether any long-latency result is in flight.
  bool suspend(WarpSlot warp) {
    schedulers_.scheduler_of(warp).begins_long_wait(warp, WaitReason::long_latency_result);
    if (!memory_.has_long_latency_in_flight(warp)) return false;
    await_memory(warp, WaitReason::long_latency_result);
    return true;
  }
  /// The warp waits for memory, until a cycle that is not known yet. It may run ahead until then.
  void await_memory(WarpSlot warp, WaitReason reason) {
    block(warp, WarpState::awaits_memory, reason);
    if (lookahead_ != nullptr) [[unlikely]]
      run_ahead(warp, reason);
  }
  [[gnu::noinline, gnu::cold]] void run_ahead(WarpSlot warp, WaitReason reason);
  [[gnu::noinline, gnu::cold]] bool supply(WarpSlot warp, Cycle from);

  PolicyNeeds needs_;
  const Cycle& now_;
  WarpTable& warps_;
  ResidentBlocks& residents_;
  WarpSchedulers& schedulers_;
  SubCores& sub_cores_;
  MemoryStage& memory_;
  WrongPaths* wrong_paths_;
  LookaheadUnit* lookahead_;
  IssuePlans& plans_;
  ThreadGrouping& grouping_;
  /// Whether a warp's next instruction may come from elsewhere than its instruction buffer.
  bool fetches_specially_;
  /// The timed state in which a warp waits for the dependences of its next instruction.
  WarpState waiting_state_;
};

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::proceed(WarpSlot warp, NextStep next, Cycle from, WaitReason reason,
                                        bool refetches) {
  Slot& slot = warps_[warp];
  slot.available_reason = reason;
  slot.available_at = from;
  switch (next.kind) {
    case NextStep::Kind::continues: {
      const std::uint32_t before = slot.pc;
      slot.go_to(next.pc);
      if (fetches_specially_) [[unlikely]] {
        if (needs_.held_fetch || supply(warp, from)) break;
      }
      FrontEnd& front_end = sub_cores_.of(warp).front_end;
      slot.available_at = next.pc == before + 1 && !refetches
                              ? std::max(front_end.advance(warp, next.pc, now_), from)
                              : front_end.redirect(warp, next.pc, from);
      break;
    }
    case NextStep::Kind::regroups:
      break;
    case NextStep::Kind::waits_at_barrier:
      return block(warp, WarpState::at_barrier, WaitReason::barrier);
    case NextStep::Kind::finished:
      return finish(warp);
    case NextStep::Kind::dissolved:
      return grouping_.end(warp, now_);
  }
  prepare(warp);
}

/// Finds out when the next instruction of the warp can issue, and makes the warp wait until then.
template <class ThreadGrouping>
[[gnu::always_inline]] inline void Sequencer<ThreadGrouping>::prepare(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& next = *slot.next;
  // Other warps issue before this one does, so the prefetch has time to complete.
  grouping_.prefetch(warp, slot.pc);
  if (next.suspends && needs_.suspension_at_marks && suspend(warp)) return;
  Readiness readiness =
      sub_cores_.of(warp).dependence->ready(warp, slot.grid->table, next, LaneMask::all(), now_);
  if (readiness.depends_on_lanes) [[unlikely]]
    readiness = readiness_of_lanes(warp);
  if (readiness.at == Cycle::never()) return await_memory(warp, readiness.reason);
  if (memory_.atomics().has_any(warp)) {
    if (next.waits_for_atomics) return await_memory(warp, WaitReason::atomics_in_flight);
    if (must_wait_for_atomics(warp)) return await_memory(warp, WaitReason::overlapping_atomic);
  }
  const bool is_fetched_before = readiness.at > slot.available_at;
  wait_until(warp, waiting_state_, is_fetched_before ? readiness.at : slot.available_at,
             is_fetched_before ? readiness.reason : slot.available_reason);
}

template <class ThreadGrouping>
[[gnu::always_inline]] inline void Sequencer<ThreadGrouping>::wait_until(WarpSlot warp,
                                                                         WarpState state, Cycle at,
                                                                         WaitReason reason) {
  if (at > now_) {
    warps_.sleep(warp, state, at, reason, now_);
    return report_wait(warp, reason);
  }
  Slot& slot = warps_[warp];
  slot.ready_at = at;
  slot.reason = reason;
  warps_.count_wait(warp, now_);
  resume_now(warp, state);
}

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::resume_now(WarpSlot warp, WarpState state) {
  switch (state) {
    case WarpState::starting:
      grouping_.start(warp);
      if (warps_.trace()) trace_start(warp);
      if (plans_.is_enabled()) report_started(warp);
      return fetch(warp);
    case WarpState::unfetched:
      return fetch(warp);
    case WarpState::regrouping:
      return grouping_.regroup(warp);
    case WarpState::ending:
      return grouping_.end(warp, now_);
    default:
      return warps_.make_ready(warp);
  }
}

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::wake(WarpSet warps) {
  for_each_warp(warps, [this](WarpSlot warp) {
    const WarpState state = warps_[warp].state;
    if (state == WarpState::starting) warps_[warp].since = now_;
    resume(warp);
    resume_now(warp, state);
  });
}

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::fetch(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  grouping_.note_fetch(warp);
  FrontEnd& front_end = sub_cores_.of(warp).front_end;
  const Cycle fetched_at = needs_.held_fetch ? front_end.fetch_chosen(warp, slot.pc, now_)
                                             : front_end.redirect(warp, slot.pc, now_);
  if (needs_.held_fetch) warps_.trace().fetch(now_, warp, slot.pc, fetched_at);
  wait(warp, WarpState::waiting, fetched_at, WaitReason::fetch);
}

template <class ThreadGrouping>
Slot& Sequencer<ThreadGrouping>::take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot,
                                      std::uint32_t pc) {
  Slot& slot = warps_.take(warp, grid, block_slot, pc);
  slot.since = now_;
  SubCore& core = sub_cores_.of(warp);
  core.front_end.start(warp, grid.bases.code);
  core.dependence->start(warp, grid.table);
  schedulers_.scheduler_of(warp).started(warp);
  return slot;
}

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::complete(const MemoryCompletion& completion) {
  const auto done = memory_.complete(completion);
  if (!done) return;
  const WarpSlot warp = done->warp;
  const Slot& slot = warps_[warp];
  const IssueTable& table = slot.grid->table;
  IssuedInstruction issued{warp, table, *done->instruction};
  SubCore& core = sub_cores_.of(warp);
  if (plans_.is_enabled()) {
    issued.accessed.writes = plans_.writes_of(completion.token);
    if (core.operands.accesses_single_lanes())
      plans_.count_writes_of(completion.token, table.writes(*done->instruction));
  }
  const Cycle usable = core.operands.write_results(issued, done->at);
  core.dependence->complete(warp, table, *done->instruction, completion.token, usable);
  if (slot.state == WarpState::awaits_memory) {
    resume(warp);
    return prepare(warp);
  }
  if (slot.state != WarpState::awaits_last_access || memory_.has_in_flight(warp)) return;
  // The access may complete before the last pass of the last instruction issues.
  resume(warp);
  wait(warp, WarpState::ending, std::max(done->at, slot.issue_end), WaitReason::last_accesses);
}

/// The warp has executed its last instruction; accesses may be in flight.
template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::finish(WarpSlot warp) {
  if (needs_.reused_results) [[unlikely]]
    lookahead_->end_warp(warp);
  if (memory_.has_in_flight(warp))
    return block(warp, WarpState::awaits_last_access, WaitReason::last_accesses);
  const Cycle end = now_ + Cycles(1);
  // The last pass of the last instruction may not have issued yet.
  const Cycle issue_end = warps_[warp].issue_end;
  if (issue_end > end) return wait(warp, WarpState::ending, issue_end, WaitReason::last_accesses);
  grouping_.end(warp, end);
}

/// Records the start of the warp in the trace: its first static warp, and how many it has.
template <class ThreadGrouping>
[[gnu::cold]] void Sequencer<ThreadGrouping>::trace_start(WarpSlot warp) {
  grouping_.enter(warp);
  const auto static_warps = grouping_.static_warps(warp);
  const HardwareWarp& first = residents_.hardware_warp(static_warps.front().hardware_warp);
  warps_.trace().start(now_, warp, warps_[warp].pc, residents_[first.block_slot].block->index(),
                       first.warp, static_warps.size());
}

/// Whether the warp's next instruction is a load or store to an address for which one of its
/// threads has an atomic in flight. It must wait, because a thread observes its own atomics.
template <class ThreadGrouping>
bool Sequencer<ThreadGrouping>::must_wait_for_atomics(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& next = *slot.next;
  if (next.kind != InstructionKind::load && next.kind != InstructionKind::store) return false;
  if (!may_be_global(next.route)) return false;
  const exec::Decoded& decoded = slot.grid->launch->code->instructions[slot.pc];
  grouping_.enter(warp);
  for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
    if (static_warp.warp->context.active == 0) continue;
    exec::find_addresses(static_warp.warp->context, decoded);
    if (memory_.atomics().overlaps(warp, *static_warp.warp, next.bytes_per_lane)) return true;
  }
  return false;
}

}  // namespace heddle::sm
