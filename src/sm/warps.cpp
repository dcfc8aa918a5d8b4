// The warps of a multiprocessor: how they come, wait, and go.

#include <fmt/format.h>

#include <bit>

#include "sm/sm.h"

namespace heddle::sm {

void Sm::take_block(const Grid& grid, std::uint64_t index, Cycle at) {
  note_residents(now_);
  residency_->take(grid.needs);
  ++resident_blocks_;
  taken_blocks_.push_back({.grid = &grid, .index = index, .at = at});
}

void Sm::start_taken_blocks() {
  if (taken_blocks_.empty()) return;
  switch (travel_) {
    case Travel::warps:
      for (const TakenBlock& taken : taken_blocks_) start_warps(taken);
      break;
    case Travel::large_warps:
      start_large_warps();
      break;
    case Travel::formed_warps:
      start_formed_warps();
      break;
  }
  taken_blocks_.clear();
}

/// Makes a block and gives its warps homes. Returns its place among the residents.
std::uint32_t Sm::start_block(const TakenBlock& taken) {
  const Grid& grid = *taken.grid;
  std::uint32_t number = 0;
  while (residents_[number].grid != nullptr) ++number;
  Resident& resident = residents_[number];
  if (resident.block == nullptr || &resident.block->launch() != grid.launch) {
    resident.block = std::make_unique<exec::Block>(*grid.launch);
  }
  resident.grid = &grid;
  resident.live_warps = grid.needs.warps;
  resident.waiting = 0;
  resident.warp_instructions = 0;
  resident.thread_instructions = 0;
  resident.last_end = taken.at;
  exec::Block& block = *resident.block;
  block.place_on(place_.number, place_.count, &stores_);
  if (travel_ != Travel::warps) block.keep_addresses_apart();
  block.start(taken.index);
  for (std::uint32_t w = 0; w < grid.needs.warps; ++w) {
    const auto home = static_cast<WarpSlot>(std::countr_zero(free_homes_));
    free_homes_ &= ~set_of(home);
    resident.homes[w] = home;
    homes_[home] = {.resident = number, .warp = w, .begin = taken.at};
  }
  return number;
}

/// Warps that travel alone, each in the slot that is its home.
void Sm::start_warps(const TakenBlock& taken) {
  const std::uint32_t number = start_block(taken);
  const Resident& resident = residents_[number];
  for (std::uint32_t w = 0; w < taken.grid->needs.warps; ++w) {
    const WarpSlot warp = resident.homes[w];
    Slot& slot = begin_slot(warp, *taken.grid, number, taken.at);
    slot.warp = &resident.block->warp(w);
    slot.block = resident.block.get();
  }
}

/// A warp begins at the first instruction of its kernel.
Sm::Slot& Sm::begin_slot(WarpSlot warp, const Grid& grid, std::uint32_t resident, Cycle at) {
  Slot& slot = renew_slot(warp, grid, resident, grid.launch->info().entry);
  slot.ready_at = at;
  slot.must_fetch = true;
  slot.starting = true;
  wheel_.add(set_of(warp), at, now_);
  return slot;
}

/// A slot for what has nothing under way and goes on at `pc`.
Sm::Slot& Sm::renew_slot(WarpSlot warp, const Grid& grid, std::uint32_t resident,
                         std::uint32_t pc) {
  Slot& slot = slots_[warp];
  slot = Slot{};
  slot.grid = &grid;
  slot.resident = resident;
  if (grid.launch->profile != nullptr) {
    slot.profile = &profiles_.try_emplace(grid.number, grid.table.size()).first->second;
  }
  slot.pc = pc;
  slot.next = &grid.table[pc];
  dependence_->start(warp, grid.table);
  scheduler_of(warp).started(warp);
  return slot;
}

/// Finds out when the warp's next instruction can issue, and lets it wait until then.
void Sm::prepare(WarpSlot warp) {
  Slot& slot = slots_[warp];
  slot.next = &slot.grid->table[slot.pc];
  const IssueInfo& next = *slot.next;
  // Until it issues, others do.
  if (slot.wide == nullptr) slot.block->prefetch_step(*slot.warp, slot.pc);
  const Readiness readiness = dependence_->ready(warp, slot.grid->table, next);
  if (readiness.at == Cycle::never()) return block_warp(warp, readiness.cause);
  if (slot.atomics_under_way > 0) {
    if (next.waits_for_atomics) return block_warp(warp, StallCause::membar);
    if (must_wait_for_atomics(slot)) return block_warp(warp, StallCause::long_scoreboard);
  }
  slot.must_fetch = dependence_->holds_fetch();
  if (readiness.at > slot.available) {
    place(warp, readiness.at, readiness.cause);
  } else {
    place(warp, slot.available, slot.available_cause);
  }
}

/// The warp waits, for `cause`, and can issue at `at`.
void Sm::place(WarpSlot warp, Cycle at, StallCause cause) {
  Slot& slot = slots_[warp];
  slot.ready_at = at;
  slot.cause = cause;
  slot.blocked = false;
  needs_[static_cast<std::size_t>(slot.next->resource)] |= set_of(warp);
  if (at <= now_) {
    if (slot.leaving) return form_anew(warp);
    if (slot.must_fetch) return fetch(warp);
    count_wait(slot, now_);
    ready_ |= set_of(warp);
    return;
  }
  waiting_[static_cast<std::size_t>(cause)] |= set_of(warp);
  wheel_.add(set_of(warp), at, now_);
  tell_of_wait(warp, cause);
}

/// The warp waits for something that will be told.
void Sm::block_warp(WarpSlot warp, StallCause cause) {
  Slot& slot = slots_[warp];
  slot.blocked = true;
  slot.cause = cause;
  waiting_[static_cast<std::size_t>(cause)] |= set_of(warp);
  tell_of_wait(warp, cause);
}

void Sm::tell_of_wait(WarpSlot warp, StallCause cause) {
  if (is_long(cause)) scheduler_of(warp).begins_long_wait(warp);
}

/// What it waited for has been told: waits for whatever comes next.
void Sm::unblock(WarpSlot warp, Cycle at) {
  Slot& slot = slots_[warp];
  waiting_[static_cast<std::size_t>(slot.cause)] &= ~set_of(warp);
  count_wait(slot, at);
  slot.blocked = false;
}

/// Puts its wait down to its cause.
void Sm::count_wait(Slot& slot, Cycle until) {
  if (until <= slot.since) return;
  counters_.warp[static_cast<std::size_t>(slot.cause)] += (until - slot.since).count;
  slot.since = until;
}

void Sm::wake(WarpSet warps) {
  for (; warps != 0; warps &= warps - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(warps));
    Slot& slot = slots_[warp];
    if (slot.ready_at > now_) {
      wheel_.add(set_of(warp), slot.ready_at, now_);
      continue;
    }
    if (slot.starting) {
      slot.starting = false;
      slot.begin = now_;
      slot.since = now_;
      note_residents(now_);
      live_warps_ += slot.rows;
    }
    waiting_[static_cast<std::size_t>(slot.cause)] &= ~set_of(warp);
    count_wait(slot, now_);
    if (slot.leaving) {
      form_anew(warp);
    } else if (slot.must_fetch) {
      fetch(warp);
    } else if (slot.finished) {
      end_warp(warp, now_);
    } else {
      ready_ |= set_of(warp);
    }
  }
}

/// The warp's next instruction is fetched now, and not before.
void Sm::fetch(WarpSlot warp) {
  Slot& slot = slots_[warp];
  count_wait(slot, now_);
  slot.must_fetch = false;
  if (travel_ == Travel::formed_warps) {
    pool_.add(warp, slot.grid->number, slot.pc);
    tell_of_formation(warp);
  }
  const Cycle there = dependence_->holds_fetch() ? front_end_.fetch_chosen(slot.pc, now_)
                                                 : front_end_.redirect(warp, slot.pc, now_);
  place(warp, there, StallCause::no_instruction);
}

void Sm::leave_ready(WarpSlot warp) {
  ready_ &= ~set_of(warp);
  needs_nothing(warp);
  slots_[warp].since = now_ + Cycles(1);
}

/// What its next instruction was to find room in does not matter any more.
void Sm::needs_nothing(WarpSlot warp) {
  needs_[static_cast<std::size_t>(slots_[warp].next->resource)] &= ~set_of(warp);
}

/// A warp of the block has come to a barrier, or to its end: others may go on for it.
void Sm::look_at_block(std::uint32_t number) {
  Resident& resident = residents_[number];
  const std::uint32_t waiting = resident.block->waiting_warps();
  std::uint32_t released = resident.waiting & ~waiting;
  resident.waiting = waiting;
  const Cycle at = now_ + Cycles(description_.barrier.latency);
  for (; released != 0; released &= released - 1) {
    const WarpSlot warp = resident.homes[static_cast<std::size_t>(std::countr_zero(released))];
    unblock(warp, now_);
    follow(warp, at, StallCause::barrier);
  }
}

void Sm::end_warp(WarpSlot warp, Cycle at) {
  Slot& slot = slots_[warp];
  scheduler_of(warp).ended(warp);
  needs_nothing(warp);
  if (slot.wide != nullptr) return end_large_warp(warp, at);
  slot.ended = true;
  waiting_[static_cast<std::size_t>(StallCause::drain)] |= set_of(warp);
  end_row(slot.resident, slot.warp->identity.warp, slot.begin, at);
}

/// All threads of a warp of a resident block have exited; perhaps it was the block's last.
void Sm::end_row(std::uint32_t number, std::uint32_t warp, Cycle begin, Cycle at) {
  Resident& resident = residents_[number];
  if (notes_lifetimes_) {
    ended_warps_.push_back({{.block = resident.block->index(),
                             .warp = warp,
                             .sm = place_.number,
                             .begin = begin,
                             .end = at},
                            resident.grid->number});
  }
  note_residents(at);
  --live_warps_;
  resident.last_end = std::max(resident.last_end, at);
  residency_->warp_ended(resident.grid->needs);
  if (--resident.live_warps > 0) return;
  for (std::uint32_t w = 0; w < resident.grid->needs.warps; ++w) {
    free_homes_ |= set_of(resident.homes[w]);
    waiting_[static_cast<std::size_t>(StallCause::drain)] &= ~set_of(resident.homes[w]);
  }
  residency_->block_ended(resident.grid->needs);
  ended_blocks_.push_back({count_of(resident), resident.last_end});
  resident.grid = nullptr;
  --resident_blocks_;
}

Sm::BlockCount Sm::count_of(const Resident& resident) {
  return {.grid = resident.grid->number,
          .warp_instructions = resident.warp_instructions,
          .thread_instructions = resident.thread_instructions};
}

void Sm::add_profile(const Grid& grid) {
  const auto found = profiles_.find(grid.number);
  if (found == profiles_.end()) return;
  grid.launch->profile->add(found->second);
  profiles_.erase(found);
}

std::vector<Sm::BlockCount> Sm::block_counts() const {
  std::vector<BlockCount> counts;
  for (const Resident& resident : residents_) {
    if (resident.grid != nullptr) counts.push_back(count_of(resident));
  }
  return counts;
}

const exec::Block* Sm::stuck_block() const {
  for (const Resident& resident : residents_) {
    if (resident.grid == nullptr || resident.block->waiting_warps() == 0) continue;
    // What travels with others may wait for those.
    if (travel_ != Travel::warps || resident.block->running_warps() == 0) {
      return resident.block.get();
    }
  }
  return nullptr;
}

/// Adds up what has been resident until now.
void Sm::note_residents(Cycle at) {
  const std::uint64_t cycles = at > residents_since_ ? (at - residents_since_).count : 0;
  counters_.resident_warp_cycles += cycles * live_warps_;
  counters_.resident_block_cycles += cycles * resident_blocks_;
  counters_.register_cycles += cycles * residency_->registers_taken();
  if (resident_blocks_ > 0) counters_.active_cycles += cycles;
  residents_since_ = std::max(residents_since_, at);
}

/// Where travellers are of several rows, each by itself.
void Sm::describe_wide_warps(std::string& text) const {
  for (WarpSet left = all_slots_ & ~free_slots_; left != 0; left &= left - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(left));
    const Slot& slot = slots_[warp];
    text += fmt::format(
        "  slot {}, from block {}: at instruction {}, {}\n", warp,
        residents_[slot.resident].block->index(), slot.pc,
        slot.blocked || slot.ready_at > now_ ? meaning_of(slot.cause) : "ready to issue");
  }
  if (travel_ != Travel::formed_warps) return;
  for (const Resident& resident : residents_) {
    if (resident.grid == nullptr) continue;
    for (std::uint32_t w = 0; w < resident.grid->needs.warps; ++w) {
      for (const exec::FormedWarp::Moved& waiting : threads_->waiting(resident.homes[w])) {
        text += fmt::format("  block {}, warp {}: {} threads wait for others at instruction {}\n",
                            resident.block->index(), w, waiting.lanes.count(), waiting.pc);
      }
    }
  }
}

std::string Sm::describe_warps() const {
  std::string text;
  if (travel_ != Travel::warps) {
    describe_wide_warps(text);
    return text;
  }
  for (const Resident& resident : residents_) {
    if (resident.grid == nullptr) continue;
    for (std::uint32_t w = 0; w < resident.grid->needs.warps; ++w) {
      const Slot& slot = slots_[resident.homes[w]];
      text += fmt::format("  block {}, warp {}: ", resident.block->index(), w);
      if (slot.finished) {
        text += "has ended\n";
        continue;
      }
      text += fmt::format(
          "at instruction {}, {}\n", slot.pc,
          slot.blocked || slot.ready_at > now_ ? meaning_of(slot.cause) : "ready to issue");
    }
  }
  return text;
}

}  // namespace heddle::sm
