#pragma once

// How a warp comes from one instruction to the next: it follows what it has executed, waits for
// what the next instruction depends on, is fetched for, becomes ready, and ends.

#include <algorithm>
#include <cassert>

#include "exec/memory/memory_access.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/travellers.h"
#include "sm/pipeline/warp_sequencer.h"
#include "sm/pipeline/wrong_path.h"

namespace heddle::sm {

template <class Travellers>
class Sequencer final : public WarpSequencer {
 public:
  Sequencer(const PipelineParts& parts, Travellers& travellers)
      : now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        front_end_(parts.front_end),
        dependence_(parts.dependence),
        operands_(parts.operands),
        memory_(parts.memory),
        wrong_paths_(parts.wrong_paths),
        travellers_(travellers),
        holds_fetch_(parts.description.dependence.holds_fetch()),
        suspends_by_marks_(parts.operands.suspends_by_marks() ||
                           parts.description.schedule.suspends_by_marks()),
        goes_on_as_(Travellers::kReforms ? WarpState::reforming
                    : holds_fetch_       ? WarpState::unfetched
                                         : WarpState::waiting) {}

  // -- what follows an instruction ----------------------------------------------------------------
  /// The warp has executed the instruction at slot.pc: it goes on as `next` says, with a fetch, if
  /// it needs one, from `from` on, and not before `from`; until then it waits for `cause`. `anew`:
  /// even what comes straight on is to be fetched.
  void follow(WarpSlot warp, Next next, Cycle from, StallCause cause, bool anew = false);
  /// When what is to issue at `at` is to be looked for in the instruction cache.
  Cycle fetch_for(Cycle at) const { return front_end_.access_for(at); }
  /// The same after the branch at slot.pc, which was predicted wrongly: its other side, which is
  /// not `taken`, is fetched from `wrong_from` on, and given up at `from`.
  void follow_after_wrong_path(WarpSlot warp, Next next, Cycle from, bool taken, Cycle wrong_from);
  /// It waits for what will be reported.
  void block(WarpSlot warp, WarpState state, StallCause cause) {
    warps_.block(warp, state, cause);
    report_wait(warp, cause);
  }
  /// What it waited for has come: its next state is to be decided.
  void resume(WarpSlot warp) { warps_.resume(warp, now_); }
  void complete(const MemoryCompletion& completion);
  void wake(WarpSet warps);

  // -- what answers of sm/divergence ask for ------------------------------------------------------
  Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t resident, std::uint32_t pc) override;
  void start(WarpSlot warp, Cycle at) override { warps_.start(warp, at, now_); }
  void fetch(WarpSlot warp) override;
  void wait(WarpSlot warp, WarpState state, Cycle at, StallCause cause) override {
    wait_until(warp, state, at, cause);
  }
  void resume_at(WarpSlot warp, Cycle at, StallCause cause) override {
    resume(warp);
    follow(warp, travellers_.next(warp), at, cause);
  }
  void leave(WarpSlot warp, Cycle at) override {
    schedulers_.end(warp);
    warps_.trace().end(at, warp, warps_[warp].pc);
    warps_.leave(warp);
  }

 private:
  void prepare(WarpSlot warp);
  void wait_until(WarpSlot warp, WarpState state, Cycle at, StallCause cause);
  void resume_now(WarpSlot warp, WarpState state);
  void finish(WarpSlot warp);
  bool must_wait_for_atomics(WarpSlot warp);
  void trace_start(WarpSlot warp);
  void report_wait(WarpSlot warp, StallCause cause) {
    if (!is_long(cause)) return;
    // A scheduler that sets it aside is not to see it again.
    if (wrong_paths_ != nullptr) wrong_paths_->give_up(warp);
    if (suspends_by_marks_ && cause != StallCause::barrier) return;
    schedulers_.of(warp).begins_long_wait(warp, cause);
  }
  /// With the lanes that will execute the next instruction, of a warp that is a row.
  [[gnu::noinline]] Readiness readiness_of_lanes(WarpSlot warp) {
    travellers_.enter(warp);
    const LaneMask lanes(travellers_.rows(warp).front().warp->context.active);
    const Slot& slot = warps_[warp];
    return dependence_.ready(warp, slot.grid->table, *slot.next, lanes, now_);
  }
  /// The compiler has marked the next instruction: the warp leaves the active set until what takes
  /// long has come; it keeps its place for what the scratchpad brings (Gebhart,
  /// sections 2.5.2, 6.3). Returns whether something is to come first.
  bool suspend(WarpSlot warp) {
    schedulers_.of(warp).begins_long_wait(warp, StallCause::long_scoreboard);
    if (!memory_.any_long(warp)) return false;
    block(warp, WarpState::awaits_memory, StallCause::long_scoreboard);
    return true;
  }

  const Cycle& now_;
  WarpTable& warps_;
  Residents& residents_;
  WarpSchedulers& schedulers_;
  FrontEnd& front_end_;
  Dependence& dependence_;
  Operands& operands_;
  MemoryStage& memory_;
  WrongPaths* wrong_paths_;
  Travellers& travellers_;
  bool holds_fetch_;
  bool suspends_by_marks_;
  WarpState goes_on_as_;  ///< When what its next instruction depends on is there.
};

template <class Travellers>
void Sequencer<Travellers>::follow(WarpSlot warp, Next next, Cycle from, StallCause cause,
                                   bool anew) {
  Slot& slot = warps_[warp];
  slot.available_cause = cause;
  slot.available = from;
  switch (next.fate) {
    case Next::Fate::goes_on: {
      const std::uint32_t before = slot.pc;
      slot.go_to(next.pc);
      if (holds_fetch_) break;
      slot.available = next.pc == before + 1 && !anew
                           ? std::max(front_end_.advance(warp, next.pc, now_), from)
                           : front_end_.redirect(warp, next.pc, from);
      break;
    }
    case Next::Fate::reforms:
      break;
    case Next::Fate::waits:
      return block(warp, WarpState::at_barrier, StallCause::barrier);
    case Next::Fate::finished:
      return finish(warp);
    case Next::Fate::gone:
      return travellers_.end(warp, now_);
  }
  prepare(warp);
}

template <class Travellers>
[[gnu::cold]] void Sequencer<Travellers>::follow_after_wrong_path(WarpSlot warp, Next next,
                                                                  Cycle from, bool taken,
                                                                  Cycle wrong_from) {
  const Slot& slot = warps_[warp];
  const code::Program& program = *slot.grid->launch->program;
  const code::Instruction& branch = program.instructions[slot.pc];
  // Whoever exits is followed by nothing.
  const bool goes_wrong = taken || branch.operation != code::Operation::exit;
  if (goes_wrong) {
    const bool calls = branch.operation == code::Operation::call;
    const std::uint32_t target = calls ? program.functions[branch.target].entry : branch.target;
    const std::uint32_t pc = taken ? slot.pc + 1 : target;
    const Cycle fetched = taken ? front_end_.go_on_in_vain(warp, pc, wrong_from, from)
                                : front_end_.redirect_in_vain(warp, pc, wrong_from, from);
    take_wrong_path({.warp = warp, .pc = pc, .fetched = fetched, .until = from, .now = now_},
                    slot.grid->table, dependence_, *wrong_paths_);
  }
  follow(warp, next, from, StallCause::branch_resolving, goes_wrong);
}

/// Finds out when the warp's next instruction can issue, and lets it wait until then.
template <class Travellers>
[[gnu::always_inline]] inline void Sequencer<Travellers>::prepare(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& next = *slot.next;
  // Until it issues, others do.
  travellers_.prefetch(warp, slot.pc);
  if (next.suspends && suspends_by_marks_ && suspend(warp)) return;
  Readiness readiness = dependence_.ready(warp, slot.grid->table, next, LaneMask::all(), now_);
  if (readiness.hangs_on_lanes) [[unlikely]]
    readiness = readiness_of_lanes(warp);
  if (readiness.at == Cycle::never()) {
    return block(warp, WarpState::awaits_memory, readiness.cause);
  }
  if (memory_.atomics().any(warp)) {
    if (next.waits_for_atomics) return block(warp, WarpState::awaits_memory, StallCause::membar);
    if (must_wait_for_atomics(warp)) {
      return block(warp, WarpState::awaits_memory, StallCause::long_scoreboard);
    }
  }
  const bool is_fetched_before = readiness.at > slot.available;
  wait_until(warp, goes_on_as_, is_fetched_before ? readiness.at : slot.available,
             is_fetched_before ? readiness.cause : slot.available_cause);
}

template <class Travellers>
[[gnu::always_inline]] inline void Sequencer<Travellers>::wait_until(WarpSlot warp, WarpState state,
                                                                     Cycle at, StallCause cause) {
  if (at > now_) {
    warps_.sleep(warp, state, at, cause, now_);
    return report_wait(warp, cause);
  }
  Slot& slot = warps_[warp];
  slot.ready_at = at;
  slot.cause = cause;
  warps_.count_wait(warp, now_);
  resume_now(warp, state);
}

template <class Travellers>
void Sequencer<Travellers>::resume_now(WarpSlot warp, WarpState state) {
  switch (state) {
    case WarpState::starting:
      travellers_.arrive(warp);
      if (warps_.trace()) trace_start(warp);
      return fetch(warp);
    case WarpState::unfetched:
      return fetch(warp);
    case WarpState::reforming:
      return travellers_.reform(warp);
    case WarpState::ending:
      return travellers_.end(warp, now_);
    default:
      return warps_.make_ready(warp);
  }
}

template <class Travellers>
void Sequencer<Travellers>::wake(WarpSet warps) {
  for_each_warp(warps, [this](WarpSlot warp) {
    const WarpState state = warps_[warp].state;
    if (state == WarpState::starting) warps_[warp].since = now_;
    resume(warp);
    resume_now(warp, state);
  });
}

template <class Travellers>
void Sequencer<Travellers>::fetch(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  travellers_.fetched(warp);
  const Cycle there = holds_fetch_ ? front_end_.fetch_chosen(warp, slot.pc, now_)
                                   : front_end_.redirect(warp, slot.pc, now_);
  if (holds_fetch_) warps_.trace().fetch(now_, warp, slot.pc, there);
  wait(warp, WarpState::waiting, there, StallCause::no_instruction);
}

template <class Travellers>
Slot& Sequencer<Travellers>::take(WarpSlot warp, const Grid& grid, std::uint32_t resident,
                                  std::uint32_t pc) {
  Slot& slot = warps_.take(warp, grid, resident, pc);
  slot.profile = residents_.profile(grid);
  slot.since = now_;
  front_end_.start(warp, grid.bases.code);
  dependence_.start(warp, grid.table);
  schedulers_.of(warp).started(warp);
  return slot;
}

template <class Travellers>
void Sequencer<Travellers>::complete(const MemoryCompletion& completion) {
  const auto done = memory_.complete(completion);
  if (!done) return;
  const WarpSlot warp = done->warp;
  const Slot& slot = warps_[warp];
  const IssueTable& table = slot.grid->table;
  const Cycle usable = operands_.write_results({warp, table, *done->instruction}, done->at);
  dependence_.complete(warp, table, *done->instruction, completion.token, usable);
  if (slot.state == WarpState::awaits_memory) {
    resume(warp);
    return prepare(warp);
  }
  if (slot.state != WarpState::awaits_last_one || memory_.any(warp)) return;
  // Its last pass may issue later than the access is done.
  const Cycle at = std::max(done->at, slot.since);
  resume(warp);
  wait(warp, WarpState::ending, at, StallCause::drain);
}

/// It executes no more; perhaps accesses are under way.
template <class Travellers>
void Sequencer<Travellers>::finish(WarpSlot warp) {
  if (memory_.any(warp)) return block(warp, WarpState::awaits_last_one, StallCause::drain);
  const Cycle left = now_ + Cycles(1);
  // Its last pass has not issued yet.
  const Cycle since = warps_[warp].since;
  if (since > left) return wait(warp, WarpState::ending, since, StallCause::drain);
  travellers_.end(warp, left);
}

/// Tells a trace which rows a warp has as it starts.
template <class Travellers>
[[gnu::cold]] void Sequencer<Travellers>::trace_start(WarpSlot warp) {
  travellers_.enter(warp);
  const auto rows = travellers_.rows(warp);
  const Home& first = residents_.home(rows.front().home);
  warps_.trace().start(now_, warp, warps_[warp].pc, residents_[first.resident].block->index(),
                       first.warp, rows.size());
}

/// A thread sees its own atomics: one that accesses what it has an atomic under way to waits for
/// that.
template <class Travellers>
bool Sequencer<Travellers>::must_wait_for_atomics(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& next = *slot.next;
  if (next.kind != InstructionKind::load && next.kind != InstructionKind::store) return false;
  if (next.route != MemoryRoute::global && next.route != MemoryRoute::generic) return false;
  const exec::Decoded& decoded = slot.grid->launch->code->instructions[slot.pc];
  travellers_.enter(warp);
  for (const Row& row : travellers_.rows(warp)) {
    if (row.warp->context.active == 0) continue;
    exec::find_addresses(row.warp->context, decoded);
    if (memory_.atomics().meets(warp, *row.warp, next.bytes_per_lane)) return true;
  }
  return false;
}

}  // namespace heddle::sm
