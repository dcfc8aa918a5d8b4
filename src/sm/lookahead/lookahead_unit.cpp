#include "sm/lookahead/lookahead_unit.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

/// Whether the unit can execute instructions of this kind. The others have effects on memory or on
/// other warps, or are executed by the whole chip.
bool can_execute(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::arithmetic:
    case InstructionKind::load:
    case InstructionKind::branch:
    case InstructionKind::other:
      return true;
    case InstructionKind::store:
    case InstructionKind::atomic:
    case InstructionKind::texture:  // It includes stores to surfaces.
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::chip_wide:
      return false;
  }
  return false;
}

}  // namespace

LookaheadUnit::LookaheadUnit(std::unique_ptr<Lookahead> policy, const LookaheadParts& parts)
    : policy_(std::move(policy)),
      now_(parts.now),
      warps_(parts.warps),
      sub_cores_(parts.sub_cores),
      memory_(parts.memory),
      switch_cycles_(parts.description.lookahead.switch_cycles),
      pipeline_length_(parts.description.units.integer.latency),
      resolve_cycles_(Cycles(parts.description.branch.resolve_cycles) +
                      parts.description.operands.branch_cycles()),
      targets_(parts.description.branch),
      contexts_(kMaxWarps) {}

void LookaheadUnit::begin(WarpSlot warp, const StaticWarp& static_warp, WaitReason reason) {
  if ((ahead_ & set_of(warp)) != 0 || !policy_->begins(warp, reason)) return;
  const Slot& slot = warps_[warp];
  Context& context = contexts_[warp];
  ahead_ |= set_of(warp);
  going_ |= set_of(warp);
  ++counters_.contexts;
  context.shadow.copy(*static_warp.block, *static_warp.warp);
  context.hardware_warp = static_warp.hardware_warp;
  context.passed = 0;
  // The warp's atomics in flight have not changed memory yet.
  context.is_memory_stale = memory_.atomics().has_any(warp);
  copy_registers(warp, context);
  const Cycle from = std::max(slot.available_at, now_ + switch_cycles_);
  find_next(warp, context,
            sub_cores_.of(warp).front_end.begin_speculation(warp, slot.pc, from, Cycle::never()));
}

/// Copies the scoreboard of the warp. Results whose arrival is not known are unknown.
void LookaheadUnit::copy_registers(WarpSlot warp, Context& context) {
  const RegisterTimes& times = *sub_cores_.of(warp).dependence->register_times();
  const auto copy = [&](std::size_t first, std::size_t count) {
    for (std::size_t entry = first; entry < first + count; ++entry) {
      const auto number = static_cast<std::uint16_t>(entry);
      context.registers.set(number, times.available_from(warp, number));
    }
  };
  copy(0, table_of(warp).register_count());
  copy(kFirstPredicate, table_of(warp).predicate_count());
}

/// Finds out what happens to the next instruction, and when. `fetched`: the first cycle in which it
/// is in the instruction buffer.
void LookaheadUnit::find_next(WarpSlot warp, Context& context, Cycle fetched) {
  const IssueTable& table = table_of(warp);
  const std::uint32_t pc = context.shadow.pc();
  const IssueInfo& info = table[pc];
  context.shadow.enter();
  context.action =
      policy_->action({.warp = warp, .pc = pc, .info = info, .passed = context.passed});
  if (context.action != AheadAction::halt) context.action = action_of(warp, context, info);
  if (context.action == AheadAction::halt) return halt(warp);
  context.at = context.action == AheadAction::skip
                   ? fetched
                   : std::max(fetched, context.registers.ready(table.reads_and_writes(info)));
}

/// What happens to an instruction for which the policy has chosen context.action, which is not
/// `halt`.
AheadAction LookaheadUnit::action_of(WarpSlot warp, const Context& context,
                                     const IssueInfo& info) const {
  const bool is_control = context.shadow.is_control() && can_execute(info.kind);
  // The time that the program reads ahead is not the time that it will read.
  const bool is_computable = can_execute(info.kind) && !info.reads_time &&
                             context.registers.are_known(table_of(warp).reads(info));
  if (context.action == AheadAction::skip || !is_computable)
    return is_control ? AheadAction::halt : AheadAction::skip;
  if (info.kind != InstructionKind::load) return AheadAction::execute;
  // A load that bypasses the L1 reads what other multiprocessors will have stored by then.
  // Preloading its line does not help it.
  if (may_be_global(info.route) && info.bypasses_l1) return AheadAction::skip;
  const bool has_value = info.route == MemoryRoute::constant || !context.is_memory_stale;
  if (context.action == AheadAction::execute && has_value) return AheadAction::execute;
  return may_be_global(info.route) ? AheadAction::preload : AheadAction::skip;
}

WarpSet LookaheadUnit::due_warps() {
  ahead_ &= ~warps_.ready();
  going_ &= ahead_;
  WarpSet due = 0;
  for_each_warp(going_, [&](WarpSlot warp) {
    Context& context = contexts_[warp];
    if (context.at > now_) return;
    if (context.action == AheadAction::skip) return skip(warp, context);
    due |= set_of(warp);
  });
  return due;
}

Cycle LookaheadUnit::next(Cycle now) const {
  Cycle next = Cycle::never();
  for_each_warp(going_, [&](WarpSlot warp) {
    next = std::min(next, std::max(contexts_[warp].at, now + Cycles(1)));
  });
  return next;
}

const IssueInfo& LookaheadUnit::next_instruction(WarpSlot warp) const {
  return table_of(warp)[contexts_[warp].shadow.pc()];
}

WarpSlot LookaheadUnit::pick(WarpSet eligible) const {
  WarpSlot picked = first_of(eligible);
  for_each_warp(eligible, [&](WarpSlot warp) {
    if (contexts_[warp].turn < contexts_[picked].turn) picked = warp;
  });
  return picked;
}

/// Skips the next instruction. It takes the cycle in which it could have issued, but no issue slot.
void LookaheadUnit::skip(WarpSlot warp, Context& context) {
  const std::uint32_t pc = context.shadow.pc();
  const IssueTable& table = table_of(warp);
  const IssueInfo& info = table[pc];
  ++counters_.skipped;
  if (!can_execute(info.kind)) context.is_memory_stale = true;
  context.registers.make_unknown(table.writes(info));
  context.shadow.skip();
  advance(warp, context, pc, now_ + Cycles(1));
}

void LookaheadUnit::issue(WarpSlot warp) {
  Context& context = contexts_[warp];
  const std::uint32_t pc = context.shadow.pc();
  const IssueInfo& info = table_of(warp)[pc];
  warps_.trace().issue_ahead(now_, warp, pc);
  context.turn = ++turns_;
  ++counters_.warp_instructions;
  counters_.thread_instructions += static_cast<std::uint64_t>(context.shadow.path().count());
  bool is_executed = false;
  Cycle from = now_ + Cycles(1);
  if (info.kind == InstructionKind::arithmetic) {
    is_executed = execute_arithmetic(warp, context, info);
  } else if (info.kind == InstructionKind::load) {
    is_executed = execute_load(warp, context, info);
  } else {
    if (info.kind == InstructionKind::branch) {
      sub_cores_.of(warp).units.add_active_cycles(now_, Cycles(1));
      from = after_branch(info);
    }
    is_executed = context.shadow.execute();
    set_results(table_of(warp), info, context, now_ + pipeline_length_);
  }
  if (!is_executed || context.shadow.finished()) return halt(warp);
  advance(warp, context, pc, from);
}

/// Continues after the instruction at `from_pc`. The next one issues at `from` at the earliest; if
/// it is not in the instruction buffer, its fetch starts then.
void LookaheadUnit::advance(WarpSlot warp, Context& context, std::uint32_t from_pc, Cycle from) {
  ++context.passed;
  FrontEnd& front_end = sub_cores_.of(warp).front_end;
  const std::uint32_t pc = context.shadow.pc();
  const Cycle fetched = pc == from_pc + 1
                            ? std::max(from, front_end.advance_speculatively(
                                                 warp, pc, now_ + Cycles(1), Cycle::never()))
                            : front_end.redirect_speculatively(warp, pc, from, Cycle::never());
  find_next(warp, context, fetched);
}

/// When the fetch after a branch that issues now begins.
Cycle LookaheadUnit::after_branch(const IssueInfo& info) const {
  if (!info.jumps_always) return now_ + resolve_cycles_;
  const NextFetch fetch = targets_.fetch_after(now_);
  return fetch.with_branch ? sub_cores_[0].front_end.access_for(fetch.from) : fetch.from;
}

bool LookaheadUnit::execute_arithmetic(WarpSlot warp, Context& context, const IssueInfo& info) {
  const IssueTable& table = table_of(warp);
  if (!context.shadow.execute()) return false;
  SubCore& core = sub_cores_.of(warp);
  const IssuedInstruction issued{warp, table, info};
  const Cycle operands = core.operand_policy->read_accessed(issued, now_);
  const Cycle computed =
      core.units.execute(info.unit, operands, info.expansion) + Cycles(info.result_delay);
  core.units.count_lanes(info.unit, info.expansion,
                         static_cast<std::uint64_t>(context.shadow.active().count()));
  set_results(table, info, context, core.operand_policy->write_accessed(issued, computed));
  return true;
}

/// A load that is executed accesses memory as a normal one. If its data arrive at a cycle that is
/// known at once, as after a hit, they can be read from then on. Otherwise they are unknown: they
/// are not expected during the wait.
bool LookaheadUnit::execute_load(WarpSlot warp, Context& context, const IssueInfo& info) {
  const Slot& slot = warps_[warp];
  const Grid& grid = *slot.grid;
  exec::ShadowWarp& shadow = context.shadow;
  const std::uint32_t pc = shadow.pc();
  const bool is_preload = context.action == AheadAction::preload;
  LaneMask lanes = shadow.active();
  if (!lanes.empty() && !shadow.find_addresses(info.bytes_per_lane)) return false;
  if (is_preload) {
    lanes = shadow.lanes_in_device_memory();
    shadow.skip();
  } else if (!shadow.execute()) {
    return false;
  }
  SubCore& core = sub_cores_.of(warp);
  const IssuedInstruction issued{warp, grid.table, info};
  const Cycle start = core.operand_policy->read_accessed(issued, now_);
  core.units.add_active_cycles(start, Cycles(1));
  if (info.route != MemoryRoute::shared) ++counters_.loads;
  Cycle done = start + pipeline_length_;
  if (!lanes.empty()) {
    const MemoryStage::Token token = memory_.begin(warp, pc, info, now_, ContextKind::ahead);
    memory_.send(token,
                 {.action = MemoryAction::load,
                  .lanes = lanes,
                  .addresses = &shadow.addresses(),
                  .hardware_warp = context.hardware_warp},
                 {.local_bytes = grid.launch->local_bytes, .parameters = grid.bases.parameters},
                 start);
    done = memory_.end(token);
  }
  if (is_preload || done == Cycle::never()) {
    context.registers.make_unknown(grid.table.writes(info));
  } else {
    set_results(grid.table, info, context, core.operand_policy->write_accessed(issued, done));
  }
  return true;
}

/// The executed instruction has written its results, which can be read from `at` on. If only some
/// of the threads have executed it, an unknown register stays unknown: it is so in the others.
void LookaheadUnit::set_results(const IssueTable& table, const IssueInfo& info, Context& context,
                                Cycle at) {
  const bool has_all_threads = context.shadow.live().without(context.shadow.active()).empty();
  for (const std::uint16_t entry : table.writes(info)) {
    if (has_all_threads || context.registers.is_known(entry)) context.registers.set(entry, at);
  }
}

void LookaheadUnit::Counters::declare(CounterList& counters) {
  counters.add("contexts", contexts, "waits", "in which a warp ran ahead");
  counters.add("warp_instructions", warp_instructions, "instructions",
               "issued ahead, each for a warp; sm.warp_instructions does not contain them");
  counters.add("thread_instructions", thread_instructions, "instructions",
               "issued ahead, counted for each thread on the path");
  counters.add("loads", loads, "instructions", "of these, loads of other than shared memory");
  counters.add("skipped", skipped, "instructions",
               "skipped ahead: they depend on unknown values, or have effects");
}

void LookaheadUnit::declare(CounterList& counters) {
  counters.add("scheduler.ahead", counters_.warp_instructions, "cycles",
               "in which a scheduler issued an instruction ahead");
  counters.part("lookahead", counters_);
  counters.part("lookahead", *policy_);
}

std::unique_ptr<LookaheadUnit> make_lookahead_unit(const LookaheadParts& parts) {
  std::unique_ptr<Lookahead> policy = make_lookahead(parts.description.lookahead);
  if (policy == nullptr) return nullptr;
  return std::make_unique<LookaheadUnit>(std::move(policy), parts);
}

}  // namespace heddle::sm
