// How warps are formed of threads, and dissolve again (dynamic warp formation).
//
// A slot holds threads from when they are formed to when they have left the pipeline. Then those
// that go on at the same instruction look for company among the warps that wait to be scheduled;
// what finds none becomes a warp of its own. Threads that wait for others of their block, or for
// a slot, are in none.

#include <bit>

#include "sm/sm.h"

namespace heddle::sm {

void Sm::start_formed_warps() {
  for (const TakenBlock& taken : taken_blocks_) {
    Resident& resident = residents_[start_block(taken)];
    for (std::uint32_t w = 0; w < taken.grid->needs.warps; ++w) {
      const std::uint32_t home = resident.homes[w];
      passed_[home] = 0;
      let_go_on({.company = {threads_->start(home, *resident.block, resident.block->warp(w)), 0},
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
  FormedWarp& formed = *formed_warps_[warp];
  count_wait(slots_[warp], now_);
  if (formed.stays_together()) {
    go_to(formed.company(), formed.sides()[0].target, grid);
    const exec::FormedThreads& threads = formed.company().threads;
    const WarpSlot other = pool_.youngest(grid.number, threads.pc);
    if (other == kNoWarp ||
        threads.lanes.without(formed_warps_[other]->company().threads.lanes).empty()) {
      return stay(warp);
    }
    leave_slot(warp);
    find_company(formed.company(), grid, warp);
    return place_waiting();
  }
  const exec::FormedWarp::Sides sides = formed.sides();
  const Company parted = formed.company();
  leave_slot(warp);
  for (const exec::FormedWarp::Side& side : sides) {
    Company company = parted;
    company.threads.keep(side.threads);
    go_to(company, side.target, grid);
    find_company(company, grid, warp);
  }
  place_waiting();
}

/// The same threads are in the pool again, the youngest of it.
void Sm::stay(WarpSlot warp) {
  Slot& slot = slots_[warp];
  scheduler_of(warp).ended(warp);
  scheduler_of(warp).started(warp);
  needs_nothing(warp);
  slot.leaving = false;
  slot.pc = formed_warps_[warp]->company().threads.pc;
  slot.next = &slot.grid->table[slot.pc];
  fetch(warp);
}

void Sm::go_to(Company& company, std::uint32_t pc, const Grid& grid) {
  company.threads.pc = pc;
  if (grid.table[pc].post_dominates) ++company.passed;
}

/// The threads join the youngest warp of the pool at their instruction, as far as their lanes are
/// free there. The others are a warp by themselves, now the youngest; in slot `mine`, if that is
/// free.
void Sm::find_company(Company& company, const Grid& grid, WarpSlot mine) {
  const WarpSlot other = pool_.youngest(grid.number, company.threads.pc);
  if (other != kNoWarp && join(company, formed_warps_[other]->company())) tell_of_formation(other);
  if (company.threads.lanes.empty()) return;
  const WarpSlot warp = take_slot(company, grid, mine);
  if (warp == kNoWarp) return unplaced_.push({.company = company, .grid = &grid, .at = now_});
  fetch(warp);
}

/// Threads that have waited for others, or that begin, go on.
void Sm::let_go_on(const Unplaced& waiting) {
  const WarpSlot warp = take_slot(waiting.company, *waiting.grid, kNoWarp);
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
WarpSlot Sm::take_slot(const Company& company, const Grid& grid, WarpSlot wanted) {
  if (free_slots_ == 0) return kNoWarp;
  const bool has_wanted = wanted != kNoWarp && (free_slots_ & set_of(wanted)) != 0;
  const WarpSlot warp = has_wanted ? wanted : static_cast<WarpSlot>(std::countr_zero(free_slots_));
  free_slots_ &= ~set_of(warp);
  formed_warps_[warp]->put(company);
  Slot& slot =
      renew_slot(warp, grid, homes_[company.threads.parts[0].row].resident, company.threads.pc);
  slot.wide = formed_warps_[warp].get();
  slot.begin = now_;
  slot.since = now_;
  return warp;
}

void Sm::leave_slot(WarpSlot warp) {
  needs_nothing(warp);
  scheduler_of(warp).ended(warp);
  free_slots_ |= set_of(warp);
}

/// A warp's threads have changed: its scheduler may go by what they are.
void Sm::tell_of_formation(WarpSlot warp) {
  const Company& company = formed_warps_[warp]->company();
  scheduler_of(warp).formed(warp, {.pc = company.threads.pc, .passed = company.passed});
}

/// Threads that waited for what has just executed go on at `at`.
void Sm::move_released(WarpSlot warp, Cycle at) {
  FormedWarp& formed = *formed_warps_[warp];
  for (const WideRow& row : formed.rows()) passed_[row.home] = formed.company().passed;
  for (const exec::FormedWarp::Moved& moved : threads_->moved()) {
    let_go_on({.company = {exec::FormedThreads::of_row(moved.row, moved.lanes, moved.pc),
                           passed_[moved.row]},
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
