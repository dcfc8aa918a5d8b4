// How a second context gets from one instruction to the next.

#include <algorithm>

#include "sm/lookahead/lookahead_unit.h"

namespace heddle::sm {

/// Finds out what happens to the next instruction, and when: not before `from`.
void LookaheadUnit::find_next(WarpSlot warp, Context& context, Cycle from) {
  const IssueTable& table = table_of(warp);
  const std::uint32_t pc = context.shadow.pc();
  const IssueInfo& info = table[pc];
  context.shadow.enter();
  context.action =
      policy_->action({.warp = warp,
                       .pc = pc,
                       .waiting_pc = context.waiting_pc,
                       .info = info,
                       .has_all_threads = has_all_threads(context, context.shadow.path()),
                       .passed = context.passed});
  if (context.action != AheadAction::halt) context.action = action_of(warp, context, info);
  if (context.action == AheadAction::execute && reuse_ != nullptr &&
      !can_reuse(warp, context, info))
    context.action = context.shadow.is_control() ? AheadAction::halt : AheadAction::skip;
  if (context.action == AheadAction::halt) return halt(warp);
  context.from = from;
  update_time(warp, context);
}

/// Finds out when the next instruction is in the instruction buffer, and when it can issue.
void LookaheadUnit::update_time(WarpSlot warp, Context& context) {
  const std::uint32_t pc = context.shadow.pc();
  const IssueTable& table = table_of(warp);
  context.fetched = std::max(context.from, sub_cores_.of(warp).front_end.ready_ahead(warp, pc));
  context.at =
      context.action == AheadAction::skip
          ? context.fetched
          : std::max(context.fetched, context.registers.ready(table.reads_and_writes(table[pc])));
}

/// Fetches the next instruction, or the one after it, if no fetch of a normal context needs the
/// port in this cycle (Kim et al., section 4: warps in normal mode are fetched first).
void LookaheadUnit::fetch(WarpSlot warp, Context& context) {
  const bool waits = context.fetched == Cycle::never();
  sub_cores_.of(warp).front_end.fetch_ahead(warp, context.shadow.pc(), now_);
  if (waits) update_time(warp, context);
}

/// Continues after the instruction at `from_pc`. The next one issues at `from` at the earliest; if
/// it is not in the instruction buffer, its fetch starts then.
void LookaheadUnit::advance(WarpSlot warp, Context& context, std::uint32_t from_pc, Cycle from) {
  ++context.passed;
  FrontEnd& front_end = sub_cores_.of(warp).front_end;
  const std::uint32_t pc = context.shadow.pc();
  if (pc == from_pc + 1) {
    front_end.advance_ahead(warp, now_ + Cycles(1));
  } else {
    front_end.redirect_ahead(warp, pc, from);
  }
  find_next(warp, context, from);
}

/// When the fetch after a branch that issues now begins.
Cycle LookaheadUnit::after_branch(const IssueInfo& info) const {
  if (!info.jumps_always) return now_ + resolve_cycles_;
  const NextFetch fetch = targets_.fetch_after(now_);
  return fetch.with_branch ? sub_cores_[0].front_end.access_for(fetch.from) : fetch.from;
}

}  // namespace heddle::sm
