// Issue, where a slot's threads lie in several rows: the instruction is executed for all of them,
// and goes through its unit in passes, one a cycle. Nothing else is chosen while they do (Narasiman
// et al., Large Warps, section 3.1.1: fetch stalls until the large warp has been broken down).

#include "sm/sm.h"

namespace heddle::sm {

void Sm::issue_wide(WarpSlot warp) {
  Slot& slot = slots_[warp];
  WideWarp& wide = *slot.wide;
  if (travel_ == Travel::formed_warps) pool_.remove(warp);
  wide.enter();
  if (slot.next->reads_time) {
    for (const WideRow& row : wide.rows()) tell_time(slot, row.warp->context);
  }
  wide.find_passes(*slot.next, passes_);
  switch (slot.next->kind) {
    case InstructionKind::arithmetic:
      return issue_wide_arithmetic(warp);
    case InstructionKind::load:
    case InstructionKind::texture:
      return issue_wide_access(warp, MemoryAction::load);
    case InstructionKind::store:
      return issue_wide_access(warp, MemoryAction::store);
    case InstructionKind::atomic:
      return issue_wide_atomic(warp);
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::other:
      return issue_wide_control(warp);
    case InstructionKind::chip_wide:
      return issue_wide_chip_wide(warp);
  }
}

/// each(i, at) for each of the passes: its number, and the cycle in which it issues. Returns that
/// of the last.
template <class Each>
Cycle Sm::for_each_pass(WarpSlot warp, Each each) {
  const Cycles interval(description_.schedule.interval);
  Cycle at = now_;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    if (i > 0) {
      at = at + interval;
      at = std::max(at, operands_->free_from(at));
    }
    each(i, at);
  }
  const std::size_t scheduler = warp % schedulers_.size();
  issues_from_[scheduler] = at + interval;
  breaks_down_until_[scheduler] = at + Cycles(1);
  slots_[warp].since = at + Cycles(1);
  return at;
}

/// Threads that others have waited for may let those go on at `released_at`.
void Sm::execute_wide(WarpSlot warp, Cycle released_at) {
  slots_[warp].wide->execute();
  if (travel_ == Travel::formed_warps) move_released(warp, released_at);
}

void Sm::issue_wide_arithmetic(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  execute_wide(warp, left_pipeline(now_));
  Cycle done = now_;
  const Cycle last = for_each_pass(warp, [&](std::size_t, Cycle at) {
    const Cycle start = operands_->read(warp, table.reads(info), at);
    const Cycle computed = units_.execute(info.unit, start, info.expansion);
    done = std::max(done, operands_->write(warp, table.writes(info), computed));
  });
  end_wide_issue(warp, last, done,
                 info.unit == UnitKind::special ? StallCause::short_scoreboard : StallCause::wait);
}

/// What the lanes of a pass access, where they are of several rows.
void Sm::gather_passes(const WideWarp& wide) {
  if (gathered_.size() < passes_.size()) gathered_.resize(passes_.size());
  for (GatheredPass& pass : gathered_) pass.lanes = {};
  std::array<std::uint8_t, 32> pass_of_lane{};
  for (const WideRow& row : wide.rows()) {
    const exec::LaneContext& context = row.warp->context;
    for (LaneMask left = row.path; !left.empty(); left = left.without_lowest()) {
      const auto lane = static_cast<std::size_t>(left.lowest());
      GatheredPass& pass = gathered_[pass_of_lane[lane]++];
      if ((context.active >> lane & 1) == 0) continue;
      pass.lanes = pass.lanes | LaneMask::of_lane(static_cast<int>(lane));
      pass.addresses[lane] = context.address()[lane];
      pass.homes[lane] = static_cast<std::uint8_t>(row.home);
    }
  }
}

void Sm::issue_wide_access(WarpSlot warp, MemoryAction action) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  execute_wide(warp, left_pipeline(now_));
  bool of_several_rows = false;
  for (const Pass& pass : passes_) of_several_rows = of_several_rows || pass.row == nullptr;
  if (of_several_rows) gather_passes(*slot.wide);
  const std::uint32_t token = begin_access(warp, now_);
  Cycle done = now_;
  const Cycle last = for_each_pass(warp, [&](std::size_t i, Cycle at) {
    const Cycle start = operands_->read(warp, table.reads(info), at);
    units_.also_active(start, Cycles(1));
    done = std::max(done, left_pipeline(start));
    Access access{.action = action};
    if (const WideRow* row = passes_[i].row) {
      const exec::LaneContext& context = row->warp->context;
      access.lanes = LaneMask(context.active);
      access.addresses = &context.address();
      access.home = row->home;
    } else {
      access.lanes = gathered_[i].lanes;
      access.addresses = &gathered_[i].addresses;
      access.homes = &gathered_[i].homes;
    }
    if (!access.lanes.empty() && info.bytes_per_lane > 0) send_pass(token, access, start);
  });
  const Cycle complete = end_access(token);
  if (action != MemoryAction::store) done = std::max(done, complete);
  end_wide_issue(warp, last, done,
                 info.route == MemoryRoute::shared ? StallCause::short_scoreboard
                                                   : StallCause::long_scoreboard);
}

/// Each row has an atomic of its own.
void Sm::issue_wide_atomic(WarpSlot warp) {
  Slot& slot = slots_[warp];
  WideWarp& wide = *slot.wide;
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  if (info.route == MemoryRoute::shared) return issue_wide_access(warp, MemoryAction::atomic);
  std::array<std::uint32_t, 32> numbers{};
  std::size_t count = 0;
  bool all_captured = true;
  bool all_shared = true;
  for (const WideRow& row : wide.rows()) {
    numbers[count] = new_atomic(*row.warp);
    exec::DeferredAtomic& atomic = atomics_[numbers[count++]]->work;
    const bool captured = row.block->capture_atomic(*row.warp, slot.pc, atomic);
    all_captured = all_captured && captured;
    if (captured) {
      all_shared = all_shared && atomic.lanes().empty();
    } else {
      all_shared = all_shared && atomic.in_shared_memory();
    }
  }
  if (!all_captured) {
    for (std::size_t i = 0; i < count; ++i) free_atomics_.push_back(numbers[i]);
    if (all_shared) return issue_wide_access(warp, MemoryAction::atomic);
    return issue_wide_chip_wide(warp);
  }
  wide.skip();
  const std::uint32_t token = begin_access(warp, now_);
  Cycle done = now_;
  const Cycle last = for_each_pass(warp, [&](std::size_t i, Cycle at) {
    const Cycle start = operands_->read(warp, table.reads(info), at);
    const exec::DeferredAtomic& atomic = atomics_[numbers[i]]->work;
    done = std::max(done, left_pipeline(start));
    if (atomic.lanes().empty()) return free_atomics_.push_back(numbers[i]);
    send_pass(token,
              {.action = MemoryAction::atomic,
               .lanes = atomic.lanes(),
               .addresses = &atomic.addresses(),
               .home = passes_[i].row->home,
               .atomic = numbers[i]},
              start);
  });
  done = std::max(done, end_access(token));
  end_wide_issue(warp, last, done, StallCause::long_scoreboard);
}

void Sm::issue_wide_control(WarpSlot warp) {
  Slot& slot = slots_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  const std::uint32_t pc = slot.pc;
  const Cycles barrier_latency(description_.barrier.latency);
  // Whether it parts is known when the last sub-warp has left the pipeline.
  const Cycle last = for_each_pass(warp, [](std::size_t, Cycle) {});
  const bool others_wait_for_it =
      info.kind == InstructionKind::barrier || info.kind == InstructionKind::branch;
  execute_wide(warp, others_wait_for_it ? last + barrier_latency : left_pipeline(last));
  count_wide_issue(slot);
  if (travel_ == Travel::formed_warps) end_finished_rows();
  dependence_->issue(warp, table, info, last, left_pipeline(last), StallCause::wait);
  const bool is_large = travel_ == Travel::large_warps;
  if (is_large && large_warps_[warp]->state().waiting()) {
    block_warp(warp, StallCause::barrier);
  } else if (info.kind == InstructionKind::barrier) {
    follow(warp, last + barrier_latency, StallCause::barrier);
  } else {
    const bool goes_on = is_large && !large_warps_[warp]->state().finished();
    follow_control(warp, {.pc = pc, .next = goes_on ? large_warps_[warp]->state().pc() : pc}, last);
  }
  if (is_large && others_wait_for_it) look_at_large_warps();
}

/// It goes through its passes now, and is executed between epochs.
void Sm::issue_wide_chip_wide(WarpSlot warp) {
  for_each_pass(warp, [](std::size_t, Cycle) {});
  chip_wide_.push_back(warp);
  block_warp(warp, StallCause::sleeping);
}

void Sm::execute_wide_chip_wide(WarpSlot warp) {
  Slot& slot = slots_[warp];
  slot.wide->enter();
  slot.wide->find_passes(*slot.next, passes_);
  for (const WideRow& row : slot.wide->rows()) row.warp->context.memory.stores = nullptr;
  execute_wide(warp, now_ + Cycles(1));
  for (const WideRow& row : slot.wide->rows()) row.warp->context.memory.stores = &stores_;
  unblock(warp, now_);
  end_wide_issue(warp, now_, now_ + Cycles(1), StallCause::sleeping);
}

void Sm::end_wide_issue(WarpSlot warp, Cycle last, Cycle done, StallCause cause) {
  Slot& slot = slots_[warp];
  dependence_->issue(warp, slot.grid->table, *slot.next, last, done, cause);
  count_wide_issue(slot);
  follow(warp, last + Cycles(1), StallCause::no_instruction);
}

void Sm::count_wide_issue(const Slot& slot) {
  std::uint64_t threads = 0;
  for (const WideRow& row : slot.wide->rows()) {
    threads += static_cast<std::uint64_t>(row.path.count());
  }
  for (const Pass& pass : passes_) ++counters_.lanes[static_cast<std::size_t>(pass.lanes.count())];
  counters_.warp_instructions += passes_.size();
  counters_.thread_instructions += threads;
  // Launches add up their blocks; a slot's are of one launch.
  Resident& resident = residents_[homes_[slot.wide->rows().front().home].resident];
  resident.warp_instructions += passes_.size();
  resident.thread_instructions += threads;
  if (slot.profile == nullptr) return;
  for (const Pass& pass : passes_) {
    const auto lanes = static_cast<std::uint32_t>(pass.lanes.count());
    slot.profile->add_stretch(slot.pc, slot.pc + 1, lanes);
  }
}

}  // namespace heddle::sm
