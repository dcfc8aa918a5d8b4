#include "sm/lookahead/lookahead_unit.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sm/sm_description.h"

namespace heddle::sm {

namespace {

/// Null if the policy throws results away.
std::unique_ptr<ResultReuse> make_reuse(const Lookahead& policy, const LookaheadParts& parts) {
  const std::optional<ReuseParameters> parameters = policy.reuse();
  if (!parameters) return nullptr;
  return std::make_unique<ResultReuse>(*parameters, parts.description, parts.sub_cores);
}

}  // namespace

LookaheadUnit::LookaheadUnit(std::unique_ptr<Lookahead> policy, const LookaheadParts& parts)
    : policy_(std::move(policy)),
      reuse_(make_reuse(*policy_, parts)),
      now_(parts.now),
      warps_(parts.warps),
      sub_cores_(parts.sub_cores),
      memory_(parts.memory),
      residents_(parts.residents),
      switch_cycles_(parts.description.lookahead.switch_cycles),
      pipeline_length_(parts.description.units.integer.latency),
      resolve_cycles_(Cycles(parts.description.branch.resolve_cycles) +
                      parts.description.operands.branch_cycles()),
      targets_(parts.description.branch),
      contexts_(kMaxWarps) {
  if (reuse_ != nullptr) memory_.report_ahead_loads(*this);
}

void LookaheadUnit::begin(WarpSlot warp, const StaticWarp& static_warp, WaitReason reason) {
  if ((ahead_ & set_of(warp)) != 0 || !policy_->begins(warp, reason)) return;
  const Slot& slot = warps_[warp];
  Context& context = contexts_[warp];
  ahead_ |= set_of(warp);
  going_ |= set_of(warp);
  ++counters_.contexts;
  context.shadow.copy(*static_warp.block, *static_warp.warp);
  context.hardware_warp = static_warp.hardware_warp;
  context.waiting_pc = slot.pc;
  context.passed = 0;
  // The warp's atomics in flight have not changed memory yet.
  context.is_memory_stale = policy_->atomics_hide_memory() && memory_.atomics().has_any(warp);
  copy_registers(warp, context);
  if (reuse_ != nullptr) {
    reuse_->count_until(now_);
    reuse_->begin(warp);
    ++context.number;
    drop_unfetched(warp, context);
  }
  const Cycle from = std::max(slot.available_at, now_ + switch_cycles_);
  sub_cores_.of(warp).front_end.begin_ahead(warp, from);
  find_next(warp, context, from);
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

/// What happens to an instruction for which the policy has chosen context.action, which is not
/// `halt`.
AheadAction LookaheadUnit::action_of(WarpSlot warp, const Context& context,
                                     const IssueInfo& info) const {
  const bool is_control = context.shadow.is_control() && !has_effects(info.kind);
  // The time that the program reads ahead is not the time that it will read.
  const bool is_computable = !has_effects(info.kind) && !info.reads_time &&
                             context.registers.are_known(table_of(warp).reads(info));
  if (context.action == AheadAction::skip || !is_computable)
    return is_control ? AheadAction::halt : AheadAction::skip;
  if (info.kind != InstructionKind::load) return AheadAction::execute;
  // A load that bypasses the L1 reads what other multiprocessors will have stored by then.
  // Preloading its line does not help it.
  if (may_be_global(info.route) && info.bypasses_l1) return AheadAction::skip;
  const bool has_value = info.route == MemoryRoute::constant || !context.is_memory_stale;
  if (context.action == AheadAction::execute && has_value) return AheadAction::execute;
  const bool preloads_local =
      context.action == AheadAction::preload && info.route == MemoryRoute::local;
  return may_be_global(info.route) || preloads_local ? AheadAction::preload : AheadAction::skip;
}

WarpSet LookaheadUnit::due_warps() {
  if (reuse_ != nullptr) reuse_->count_until(now_);
  if (const WarpSet ended = ahead_ & warps_.ready(); ended != 0) end_contexts(ended);
  if (reuse_ != nullptr) observe_blocks();
  WarpSet due = 0;
  for_each_warp(going_, [&](WarpSlot warp) {
    Context& context = contexts_[warp];
    fetch(warp, context);
    if (context.at > now_) return;
    if (context.action == AheadAction::skip) return skip(warp, context);
    due |= set_of(warp);
  });
  return due;
}

void LookaheadUnit::end_contexts(WarpSet warps) {
  ahead_ &= ~warps;
  going_ &= ~warps;
  if (reuse_ != nullptr) for_each_warp(warps, [this](WarpSlot warp) { reuse_->end(warp); });
}

Cycle LookaheadUnit::next(Cycle now) const {
  Cycle next = Cycle::never();
  for_each_warp(going_, [&](WarpSlot warp) {
    const Context& context = contexts_[warp];
    const FrontEnd& front_end = sub_cores_.of(warp).front_end;
    next = std::min(next, front_end.next_ahead(warp, context.shadow.pc(), now));
    if (context.fetched > now) {
      next = std::min(next, context.fetched);
      return;
    }
    if (context.at == AheadRegisters::pending()) return;
    const bool needs_register = context.action != AheadAction::skip && context.at <= now &&
                                reuse_ != nullptr &&
                                !reuse_->has_registers(results_of(warp).size(), now);
    next = std::min(
        next, needs_register ? reuse_->next_register(now) : std::max(context.at, now + Cycles(1)));
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
  if (policy_->hides_memory(info)) context.is_memory_stale = true;
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
  if (reuse_ != nullptr) {
    reuse_->count_until(now_);
    reuse_->look_up_ahead(warp, table_of(warp).reads(info).size());
  }
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

bool LookaheadUnit::execute_arithmetic(WarpSlot warp, Context& context, const IssueInfo& info) {
  const IssueTable& table = table_of(warp);
  const std::uint32_t pc = context.shadow.pc();
  if (!context.shadow.execute()) return false;
  SubCore& core = sub_cores_.of(warp);
  const IssuedInstruction issued{warp, table, info};
  const Cycle operands = read_operands(issued, context);
  const Cycle computed =
      core.units.execute(info.unit, operands, info.expansion) + Cycles(info.result_delay);
  core.units.count_lanes(info.unit, info.expansion,
                         static_cast<std::uint64_t>(context.shadow.active().count()));
  const Cycle usable = core.operand_policy->write_accessed(issued, computed);
  set_results(table, info, context, usable);
  if (reuse_ != nullptr) {
    reuse_->add(warp, pc, table.writes(info), context.shadow.context(), now_, usable, 0);
  }
  return true;
}

/// Reads the sources of an instruction that has been executed ahead. If results are renamed, and
/// not all threads write them, it reads its old results, too: the new registers get the values of
/// the other threads from there.
Cycle LookaheadUnit::read_operands(const IssuedInstruction& issued, const Context& context) {
  Operands& operands = *sub_cores_.of(issued.warp).operand_policy;
  if (reuse_ == nullptr || has_all_threads(context, context.shadow.active()))
    return operands.read_accessed(issued, now_);
  return operands.read(issued.warp, issued.table.reads_and_writes(issued.info), now_);
}

/// A load that is executed accesses memory as a normal one. If its data arrive at a cycle that is
/// known at once, as after a hit, they can be read from then on. Otherwise they are pending if
/// results are reused. If not, they are unknown: they are not expected during the wait.
bool LookaheadUnit::execute_load(WarpSlot warp, Context& context, const IssueInfo& info) {
  const Slot& slot = warps_[warp];
  const Grid& grid = *slot.grid;
  exec::ShadowWarp& shadow = context.shadow;
  const std::uint32_t pc = shadow.pc();
  const bool is_preload = context.action == AheadAction::preload;
  LaneMask lanes = shadow.active();
  if (!lanes.empty() && !shadow.find_addresses(info.bytes_per_lane)) return false;
  if (is_preload) {
    if (info.route != MemoryRoute::local) lanes = shadow.lanes_in_device_memory();
    shadow.skip();
  } else if (!shadow.execute()) {
    return false;
  }
  SubCore& core = sub_cores_.of(warp);
  const IssuedInstruction issued{warp, grid.table, info};
  const Cycle start = is_preload ? core.operand_policy->read_accessed(issued, now_)
                                 : read_operands(issued, context);
  core.units.add_active_cycles(start, Cycles(1));
  if (info.route != MemoryRoute::shared) ++counters_.loads;
  Cycle done = start + pipeline_length_;
  MemoryStage::Token token = 0;
  if (!lanes.empty()) {
    token = memory_.begin(warp, pc, info, now_, ContextKind::ahead);
    memory_.send(token,
                 {.action = MemoryAction::load,
                  .lanes = lanes,
                  .addresses = &shadow.addresses(),
                  .hardware_warp = context.hardware_warp},
                 {.local_bytes = grid.launch->local_bytes, .parameters = grid.bases.parameters},
                 start);
    done = memory_.end(token);
  }
  if (is_preload || (done == Cycle::never() && reuse_ == nullptr)) {
    context.registers.make_unknown(grid.table.writes(info));
    if (reuse_ != nullptr) reuse_->count_preload();
    return true;
  }
  const bool is_pending = done == Cycle::never();
  const Cycle usable = is_pending ? done : core.operand_policy->write_accessed(issued, done);
  set_results(grid.table, info, context, is_pending ? AheadRegisters::pending() : usable);
  if (reuse_ == nullptr) return true;
  reuse_->add(warp, pc, grid.table.writes(info), shadow.context(), now_, usable, token);
  if (is_pending) {
    pending_loads_.push_back({.token = token, .warp = warp, .context = context.number, .pc = pc});
  }
  return true;
}

/// The executed instruction has written its results, which can be read from `at` on. If only some
/// of the threads have executed it, an unknown register stays unknown: it is so in the others.
void LookaheadUnit::set_results(const IssueTable& table, const IssueInfo& info, Context& context,
                                Cycle at) {
  const bool by_all = has_all_threads(context, context.shadow.active());
  for (const std::uint16_t entry : table.writes(info)) {
    if (by_all || context.registers.is_known(entry)) context.registers.set(entry, at);
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
  counters.part("lookahead.stalls", stalls_);
  counters.add("lookahead.l1_misses", memory_.counters().ahead_misses, "segments",
               "that loads ahead fetched; l1.misses contains them");
  if (reuse_ != nullptr) counters.part("lookahead", *reuse_);
}

std::unique_ptr<LookaheadUnit> make_lookahead_unit(const LookaheadParts& parts) {
  std::unique_ptr<Lookahead> policy = make_lookahead(parts.description.lookahead);
  if (policy == nullptr) return nullptr;
  return std::make_unique<LookaheadUnit>(std::move(policy), parts);
}

}  // namespace heddle::sm
