// Issue: an instruction is executed, what it takes is booked, and its results' time is computed.

#include <bit>

#include "exec/lane_context.h"
#include "exec/memory_access.h"
#include "sm/sm.h"

namespace heddle::sm {

void Sm::issue(WarpSlot warp) {
  Slot& slot = slots_[warp];
  if (slot.wide != nullptr) return issue_wide(warp);
  tell_time(slot, slot.warp->context);
  switch (slot.next->kind) {
    case InstructionKind::arithmetic:
      return issue_arithmetic(warp);
    case InstructionKind::load:
    case InstructionKind::store:
    case InstructionKind::texture:
      return issue_access(warp);
    case InstructionKind::atomic:
      return issue_atomic(warp);
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::other:
      return issue_control(warp);
    case InstructionKind::chip_wide:
      chip_wide_.push_back(warp);
      return block_warp(warp, StallCause::sleeping);
  }
}

void Sm::tell_time(const Slot& slot, exec::LaneContext& context) const {
  if (!slot.next->reads_time) return;
  context.clock = now_.number;
  context.nanoseconds =
      static_cast<std::uint64_t>(static_cast<double>(now_.number) * nanoseconds_per_cycle_);
}

void Sm::issue_arithmetic(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  slot.block->step(*slot.warp);
  const Cycle start = operands_->read(warp, table.reads(info), now_);
  const Cycle computed = units_.execute(info.unit, start, info.expansion);
  const Cycle done = operands_->write(warp, table.writes(info), computed);
  dependence_->issue(
      warp, table, info, now_, done,
      info.unit == UnitKind::special ? StallCause::short_scoreboard : StallCause::wait);
  count_issue(slot);
  follow(warp, now_ + Cycles(1), StallCause::no_instruction);
}

void Sm::issue_access(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  slot.block->step(*slot.warp);
  const Cycle start = operands_->read(warp, table.reads(info), now_);
  const LaneMask lanes(slot.warp->context.active);
  units_.also_active(start, Cycles(1));
  const bool stores = info.kind == InstructionKind::store;
  Cycle done = left_pipeline(start);
  if (!lanes.empty() && info.bytes_per_lane > 0) {
    const Access access{.action = stores ? MemoryAction::store : MemoryAction::load,
                        .lanes = lanes,
                        .addresses = &slot.warp->context.address(),
                        .home = warp};
    const Cycle complete = send(warp, access, start);
    if (!stores) done = complete;
  }
  finish_access(warp, done);
}

void Sm::issue_atomic(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  if (info.route == MemoryRoute::shared) return issue_shared_atomic(warp);
  const std::uint32_t number = new_atomic(*slot.warp);
  exec::DeferredAtomic& atomic = atomics_[number]->work;
  if (!slot.block->step_atomic(*slot.warp, atomic)) {
    free_atomics_.push_back(number);
    if (atomic.in_shared_memory()) return issue_shared_atomic(warp);
    // Some lanes here, some there: rare enough to be executed where nobody else runs.
    chip_wide_.push_back(warp);
    return block_warp(warp, StallCause::sleeping);
  }
  const Cycle start = operands_->read(warp, table.reads(info), now_);
  if (atomic.lanes().empty()) {
    free_atomics_.push_back(number);
    return finish_access(warp, left_pipeline(start));
  }
  const Access access{.action = MemoryAction::atomic,
                      .lanes = atomic.lanes(),
                      .addresses = &atomic.addresses(),
                      .home = warp,
                      .atomic = number};
  finish_access(warp, send(warp, access, start));
}

void Sm::issue_shared_atomic(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  slot.block->step(*slot.warp);
  const Cycle start = operands_->read(warp, slot.grid->table.reads(info), now_);
  const LaneMask lanes(slot.warp->context.active);
  const Access access{.action = MemoryAction::atomic,
                      .lanes = lanes,
                      .addresses = &slot.warp->context.address(),
                      .home = warp};
  finish_access(warp, lanes.empty() ? left_pipeline(start) : send(warp, access, start));
}

/// `done`: when its results can be used; never, where a completion will tell.
void Sm::finish_access(WarpSlot warp, Cycle done) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  if (done != Cycle::never()) done = operands_->write(warp, table.writes(info), done);
  const StallCause cause = info.route == MemoryRoute::shared ? StallCause::short_scoreboard
                                                             : StallCause::long_scoreboard;
  dependence_->issue(warp, table, info, now_, done, cause);
  count_issue(slot);
  follow(warp, now_ + Cycles(1), StallCause::no_instruction);
}

void Sm::issue_control(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  const std::uint32_t pc = slot.pc;
  exec::Warp& executed = *slot.warp;
  slot.block->step(executed);
  count_issue(slot);
  dependence_->issue(warp, table, info, now_, left_pipeline(now_), StallCause::wait);
  if (info.kind == InstructionKind::barrier) {
    const std::uint32_t number = slot.resident;
    const std::uint32_t bit = std::uint32_t{1} << executed.identity.warp;
    if ((slot.block->waiting_warps() & bit) != 0) {
      block_warp(warp, StallCause::barrier);
    } else {
      // The last to arrive, or it did not wait: the others' release is the block's.
      follow(warp, now_ + Cycles(description_.barrier.latency), StallCause::barrier);
    }
    return look_at_block(number);
  }
  const exec::ReconvergenceStack& stack = executed.stack;
  follow_control(warp, {.pc = pc, .next = stack.finished() ? pc : stack.top().pc}, now_);
}

/// What goes on behind a control instruction that is no barrier, and issued at `issued`.
void Sm::follow_control(WarpSlot warp, const BranchOutcome& outcome, Cycle issued) {
  const IssueInfo& info = *slots_[warp].next;
  if (info.waits_for_stores && !stores_.empty()) {
    // It goes on when all that was stored has been committed.
    fenced_ |= set_of(warp);
    return block_warp(warp, StallCause::membar);
  }
  if (info.kind != InstructionKind::branch) {
    return follow(warp, issued + Cycles(1), StallCause::no_instruction);
  }
  follow(warp, branch_->next_fetch(warp, info, outcome, issued), StallCause::branch_resolving);
}

/// The warp has executed the instruction at slot.pc: it goes on wherever its stack says, with a
/// fetch, if it needs one, from `from` on, and not before `from`.
void Sm::follow(WarpSlot warp, Cycle from, StallCause cause) {
  if (travel_ == Travel::formed_warps) return leave_pipeline(warp, from, cause);
  Slot& slot = slots_[warp];
  const bool is_large = travel_ == Travel::large_warps;
  if (is_large ? large_warps_[warp]->state().finished() : slot.warp->stack.finished()) {
    slot.finished = true;
    if (!is_large) look_at_block(slot.resident);
    if (slot.memory_under_way > 0) return block_warp(warp, StallCause::drain);
    // Its last sub-warp has not issued yet.
    if (slot.since > now_ + Cycles(1)) return place(warp, slot.since, StallCause::drain);
    return end_warp(warp, now_ + Cycles(1));
  }
  const std::uint32_t before = slot.pc;
  slot.pc = is_large ? large_warps_[warp]->state().pc() : slot.warp->stack.top().pc;
  slot.available_cause = cause;
  if (dependence_->holds_fetch()) {
    slot.available = from;
  } else if (slot.pc == before + 1) {
    slot.available = std::max(front_end_.advance(warp, slot.pc, now_), from);
  } else {
    slot.available = front_end_.redirect(warp, slot.pc, from);
  }
  prepare(warp);
}

/// An instruction without a result of its own is over when an integer one would be.
Cycle Sm::left_pipeline(Cycle start) const {
  return start + Cycles(description_.units.integer.latency);
}

void Sm::count_issue(const Slot& slot) {
  Resident& resident = residents_[slot.resident];
  const auto lanes = static_cast<std::size_t>(std::popcount(slot.warp->context.path_active));
  ++counters_.warp_instructions;
  counters_.thread_instructions += lanes;
  ++counters_.lanes[lanes];
  ++resident.warp_instructions;
  resident.thread_instructions += lanes;
  if (slot.profile != nullptr) {
    slot.profile->add_stretch(slot.pc, slot.pc + 1, static_cast<std::uint32_t>(lanes));
  }
}

/// A thread sees its own atomics: one that accesses what it has an atomic under way to waits for
/// that.
bool Sm::must_wait_for_atomics(const Slot& slot) const {
  const IssueInfo& next = *slot.next;
  if (next.kind != InstructionKind::load && next.kind != InstructionKind::store) return false;
  if (next.route != MemoryRoute::global && next.route != MemoryRoute::generic) return false;
  const exec::Decoded& decoded = slot.grid->launch->code->instructions[slot.pc];
  if (slot.wide != nullptr) {
    slot.wide->enter();
    for (const WideRow& row : slot.wide->rows()) {
      if (meets_atomic(slot, *row.warp, decoded)) return true;
    }
    return false;
  }
  exec::LaneContext& context = slot.warp->context;
  context.active = slot.warp->stack.top().mask.bits() & context.predicate(decoded.guard);
  return meets_atomic(slot, *slot.warp, decoded);
}

/// Whether one of the row's active lanes is about to access what it has an atomic under way to.
bool Sm::meets_atomic(const Slot& slot, exec::Warp& row, const exec::Decoded& decoded) const {
  exec::LaneContext& context = row.context;
  if (context.active == 0) return false;
  exec::find_addresses(context, decoded);
  for (std::uint32_t i = slot.first_atomic; i != kNoAtomic; i = atomics_[i]->next) {
    if (atomics_[i]->row != &row) continue;
    const exec::DeferredAtomic& atomic = atomics_[i]->work;
    LaneMask both(context.active & atomic.lanes().bits());
    for (; !both.empty(); both = both.without_lowest()) {
      const auto lane = static_cast<std::size_t>(both.lowest());
      const std::uint64_t address = context.address()[lane];
      const std::uint64_t there = atomic.addresses()[lane];
      if (address < there + atomic.bytes() && there < address + slot.next->bytes_per_lane) {
        return true;
      }
    }
  }
  return false;
}

void Sm::execute_chip_wide() {
  std::size_t left = 0;
  for (std::size_t i = 0; i < chip_wide_.size(); ++i) {
    const WarpSlot warp = chip_wide_[i];
    Slot& slot = slots_[warp];
    // It may touch what they touch.
    if (slot.atomics_under_way > 0) {
      chip_wide_[left++] = warp;
      continue;
    }
    if (slot.wide != nullptr) {
      execute_wide_chip_wide(warp);
      continue;
    }
    exec::LaneContext& context = slot.warp->context;
    context.memory.stores = nullptr;
    slot.block->step(*slot.warp);
    context.memory.stores = &stores_;
    unblock(warp, now_);
    dependence_->issue(warp, slot.grid->table, *slot.next, now_, now_ + Cycles(1),
                       StallCause::sleeping);
    count_issue(slot);
    follow(warp, now_ + Cycles(1), StallCause::sleeping);
  }
  chip_wide_.resize(left);
}

}  // namespace heddle::sm
