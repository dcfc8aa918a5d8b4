// How warps are formed of threads, and dissolve again (dynamic warp formation).
//
// A slot holds threads from when they are formed to when they have left the pipeline. Then those
// that go on at the same instruction look for company among the warps that wait to be scheduled;
// what finds none becomes a warp of its own. Threads that wait for others of their block, or for
// a slot, are in none.

#include <bit>
#include <limits>

#include "sm/sm.h"

namespace heddle::sm {

void Sm::start_formed_warps() {
  for (const TakenBlock& taken : taken_blocks_) {
    Resident& resident = residents_[start_block(taken)];
    for (std::uint32_t w = 0; w < taken.grid->needs.warps; ++w) {
      const std::uint32_t home = resident.homes[w];
      passed_[home].fill(0);
      let_go_on({.threads = threads_->start(home, *resident.block, resident.block->warp(w)),
                 .grid = taken.grid,
                 .at = taken.at,
                 .cause = StallCause::wait,
                 .starting = true});
    }
  }
}

/// The warp has issued; its threads are formed anew when its results are there, and not before
/// `from`.
void Sm::leave_pipeline(WarpSlot warp, Cycle from, StallCause cause) {
  Slot& slot = slots_[warp];
  if (formed_warps_[warp]->sides().empty()) {
    leave_slot(warp);
    return place_waiting();
  }
  slot.leaving = true;
  slot.available = from;
  slot.available_cause = cause;
  prepare(warp);
}

void Sm::form_anew(WarpSlot warp) {
  const Grid& grid = *slots_[warp].grid;
  exec::FormedThreads threads = formed_warps_[warp]->threads();
  const exec::FormedWarp::Sides sides = formed_warps_[warp]->sides();
  count_wait(slots_[warp], now_);
  leave_slot(warp);
  for (const exec::FormedWarp::Side& side : sides) {
    threads.lanes = side.threads;
    threads.pc = side.target;
    note_passed(threads, grid);
    find_company(threads, grid);
  }
  place_waiting();
}

/// The threads join the youngest warp of the pool at their instruction, as far as their lanes are
/// free there. The others are a warp by themselves, now the youngest.
void Sm::find_company(exec::FormedThreads threads, const Grid& grid) {
  const WarpSlot other = pool_.youngest(grid.number, threads.pc);
  if (other != kNoWarp && !join(threads, formed_warps_[other]->threads()).empty()) {
    tell_of_formation(other);
  }
  if (threads.lanes.empty()) return;
  const WarpSlot warp = take_slot(threads, grid);
  if (warp == kNoWarp) {
    return unplaced_.push({.threads = threads, .grid = &grid, .at = now_});
  }
  fetch(warp);
}

/// Threads that have waited for others, or that begin, go on.
void Sm::let_go_on(const Unplaced& waiting) {
  const WarpSlot warp = take_slot(waiting.threads, *waiting.grid);
  if (warp == kNoWarp) return unplaced_.push(waiting);
  Slot& slot = slots_[warp];
  slot.starting = waiting.starting;
  slot.leaving = !waiting.starting;
  slot.must_fetch = waiting.starting;
  // Not in this cycle, in which slots may be changing hands.
  place(warp, std::max(waiting.at, now_ + Cycles(1)), waiting.cause);
}

void Sm::place_waiting() {
  while (!unplaced_.empty() && free_slots_ != 0) {
    const Unplaced waiting = unplaced_.front();
    unplaced_.pop();
    let_go_on(waiting);
  }
}

/// A free slot with the threads in it, or kNoWarp.
WarpSlot Sm::take_slot(const exec::FormedThreads& threads, const Grid& grid) {
  if (free_slots_ == 0) return kNoWarp;
  const auto warp = static_cast<WarpSlot>(std::countr_zero(free_slots_));
  free_slots_ &= ~set_of(warp);
  formed_warps_[warp]->put(threads);
  Slot& slot = slots_[warp];
  slot = Slot{};
  slot.wide = formed_warps_[warp].get();
  slot.grid = &grid;
  slot.resident = homes_[threads.row[static_cast<std::size_t>(threads.lanes.lowest())]].resident;
  if (grid.launch->profile != nullptr) {
    slot.profile = &profiles_.try_emplace(grid.number, grid.table.size()).first->second;
  }
  slot.pc = threads.pc;
  slot.next = &grid.table[slot.pc];
  slot.begin = now_;
  slot.since = now_;
  dependence_->start(warp);
  schedulers_[warp % schedulers_.size()]->started(warp);
  return warp;
}

void Sm::leave_slot(WarpSlot warp) {
  needs_[static_cast<std::size_t>(slots_[warp].next->resource)] &= ~set_of(warp);
  schedulers_[warp % schedulers_.size()]->ended(warp);
  free_slots_ |= set_of(warp);
}

void Sm::note_passed(const exec::FormedThreads& threads, const Grid& grid) {
  if (!grid.table[threads.pc].post_dominates) return;
  for (LaneMask left = threads.lanes; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
    ++passed_[threads.row[lane]][lane];
  }
}

/// A warp's threads have changed: its scheduler may go by what they are.
void Sm::tell_of_formation(WarpSlot warp) {
  const exec::FormedThreads& threads = formed_warps_[warp]->threads();
  std::uint32_t passed = std::numeric_limits<std::uint32_t>::max();
  for (LaneMask left = threads.lanes; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
    passed = std::min(passed, passed_[threads.row[lane]][lane]);
  }
  schedulers_[warp % schedulers_.size()]->formed(warp, {.pc = threads.pc, .passed = passed});
}

/// Threads that waited for what has just executed go on at `at`.
void Sm::move_released(Cycle at) {
  for (const exec::FormedWarp::Moved& moved : threads_->moved()) {
    exec::FormedThreads threads{.pc = moved.pc, .lanes = moved.lanes};
    threads.row.fill(static_cast<std::uint8_t>(moved.row));
    let_go_on({.threads = threads,
               .grid = residents_[homes_[moved.row].resident].grid,
               .at = at,
               .cause = StallCause::barrier});
  }
  threads_->moved().clear();
}

/// Rows of which nothing is left.
void Sm::end_finished_rows() {
  for (const std::uint32_t home : threads_->finished_rows()) {
    end_row(homes_[home].resident, homes_[home].warp, homes_[home].begin, now_ + Cycles(1));
  }
  threads_->finished_rows().clear();
}

}  // namespace heddle::sm
