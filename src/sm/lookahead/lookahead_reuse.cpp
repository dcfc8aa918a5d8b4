// The functions of LookaheadUnit for policies that reuse results.

#include <algorithm>
#include <bit>

#include "sm/lookahead/lookahead_unit.h"

namespace heddle::sm {

/// Whether the results of an instruction that can be executed ahead can be renamed.
///
/// If only some of the threads execute it, the new registers also get the old values of the others,
/// which must be known. If they are not, the queue is closed. Otherwise the warp might meet the
/// instruction again with all its threads, and nothing in the queue before it. The normal context
/// would then find the second execution when it reaches the first.
bool LookaheadUnit::can_reuse(WarpSlot warp, Context& context, const IssueInfo& info) {
  const std::span<const std::uint16_t> results = table_of(warp).writes(info);
  if (results.empty()) return true;
  if (context.shadow.is_control() || !ResultReuse::can_rename(results)) return false;
  if (has_all_threads(context, context.shadow.active()) || context.registers.are_known(results))
    return true;
  reuse_->close_queue(warp);
  return false;
}

/// The instructions in the normal context's buffer that were to be reused are not in the queue any
/// more. The warp waits for one instruction, which stays in the buffer.
void LookaheadUnit::drop_unfetched(WarpSlot warp, Context& context) {
  const std::uint64_t after = context.unfetched & ~std::uint64_t{1};
  context.unfetched = 0;
  if (after == 0) return;
  sub_cores_.of(warp).front_end.shorten(
      warp, context.waiting_pc + static_cast<std::uint32_t>(std::countr_zero(after)));
}

std::optional<Cycle> LookaheadUnit::supply(WarpSlot warp, Cycle from) {
  Context& context = contexts_[warp];
  FrontEnd& front_end = sub_cores_.of(warp).front_end;
  const std::uint32_t pc = warps_[warp].pc;
  const bool jumps = pc != context.issued_pc + 1;
  const Cycle next = now_ + Cycles(1);
  const Cycle earliest = std::max(from, next);
  context.unfetched = jumps ? 0 : context.unfetched >> 1;
  reuse_->count_until(now_);
  if (reuse_->take(warp, pc)) {
    const std::uint32_t queued = 1 + reuse_->count_queued(warp, pc + 1);
    const FrontEnd::Bypassed bypassed =
        front_end.bypass(warp, pc, queued, jumps, jumps ? earliest : next);
    for (std::uint32_t i = bypassed.begin; i < bypassed.end; ++i)
      context.unfetched |= std::uint64_t{1} << (i - pc);
    return earliest;
  }
  if ((context.unfetched & 1) == 0) return std::nullopt;
  context.unfetched = 0;
  return front_end.redirect(warp, pc, earliest);
}

void LookaheadUnit::observe_issue(WarpSlot warp, const exec::Warp& executing) {
  contexts_[warp].issued_pc = warps_[warp].pc;
  const IssueInfo& info = *warps_[warp].next;
  const LaneMask active(executing.context.active);
  reuse_->count_until(now_);
  reuse_->observe_issue(warp, table_of(warp).reads(info).size(), table_of(warp).writes(info),
                        executing.stack.live().without(active).empty());
}

void LookaheadUnit::end_warp(WarpSlot warp) {
  ++contexts_[warp].number;
  contexts_[warp].unfetched = 0;
  reuse_->count_until(now_);
  reuse_->end_warp(warp);
}

void LookaheadUnit::observe_blocks() {
  reuse_->count_until(now_);
  const WarpSet losers = reuse_->set_free_registers(residents_.free_registers() / kWarpSize);
  going_ &= ~losers;
}

void LookaheadUnit::complete_ahead(MemoryStage::Token token, Cycle at) {
  const auto found = std::find_if(pending_loads_.begin(), pending_loads_.end(),
                                  [token](const PendingLoad& load) { return load.token == token; });
  if (found == pending_loads_.end()) return;  // A preload.
  const PendingLoad load = *found;
  *found = pending_loads_.back();
  pending_loads_.pop_back();
  Context& context = contexts_[load.warp];
  if (load.context != context.number) return reuse_->complete(token, at);
  const IssueTable& table = table_of(load.warp);
  const IssueInfo& info = table[load.pc];
  const Cycle usable =
      sub_cores_.of(load.warp).operand_policy->write_accessed({load.warp, table, info}, at);
  reuse_->complete(token, usable);
  if ((ahead_ & set_of(load.warp)) == 0) return;
  // A register may have become unknown since then, and another load may write it.
  const auto is_awaited = [&](std::uint16_t entry) {
    return std::any_of(pending_loads_.begin(), pending_loads_.end(), [&](const PendingLoad& other) {
      if (other.warp != load.warp || other.context != load.context) return false;
      const auto results = table.writes(table[other.pc]);
      return std::find(results.begin(), results.end(), entry) != results.end();
    });
  };
  for (const std::uint16_t entry : table.writes(info)) {
    if (context.registers.is_pending(entry) && !is_awaited(entry))
      context.registers.set(entry, usable);
  }
  if ((going_ & set_of(load.warp)) == 0 || context.action == AheadAction::skip) return;
  const IssueInfo& next = next_instruction(load.warp);
  context.at = std::max(context.fetched, context.registers.ready(table.reads_and_writes(next)));
}

}  // namespace heddle::sm
