#pragma once

// The slots of a multiprocessor's warps: what is in each, what it waits for, and since when.
//
// Sets of warps are words of 64 bits; a warp that waits for a cycle is on the wake wheel. Each
// wait is put down to its cause when it ends.

#include <array>
#include <cassert>
#include <cstdint>

#include "base/cycle.h"
#include "base/host_lines.h"
#include "exec/execution_profile.h"
#include "sm/grid.h"
#include "sm/ids.h"
#include "sm/resource.h"
#include "sm/stall_cause.h"
#include "sm/wake_wheel.h"
#include "sm/warp_state.h"
#include "sm/warp_trace.h"

namespace heddle::sm {

/// A warp in its slot. One line of the host's cache: most instructions need no more of it.
struct alignas(kHostLineBytes) Slot {
  const Grid* grid = nullptr;
  const IssueInfo* next = nullptr;  ///< Its next instruction.
  exec::ExecutionProfile* profile = nullptr;
  Cycle since{};      ///< When it began to wait.
  Cycle ready_at{};   ///< When it goes on, if that is known.
  Cycle available{};  ///< When its next instruction is there.
  std::uint32_t pc = 0;
  std::uint32_t resident = 0;  ///< Its block's place among the residents.
  WarpState state = WarpState::free;
  StallCause cause = StallCause::wait;
  StallCause available_cause = StallCause::no_instruction;
  Resource needs = Resource::none;  ///< That its next instruction needs room in.

  /// It goes on at `target`.
  void go_to(std::uint32_t target) {
    pc = target;
    next = &grid->table[target];
    needs = next->resource;
  }
};
static_assert(sizeof(Slot) == kHostLineBytes);

class WarpTable {
 public:
  explicit WarpTable(std::uint32_t slots);

  Slot& operator[](WarpSlot warp) { return slots_[warp]; }
  const Slot& operator[](WarpSlot warp) const { return slots_[warp]; }

  WarpSet all() const { return all_; }
  WarpSet free() const { return free_; }
  WarpSet ready() const { return ready_; }
  /// Those that are ready and need room in it.
  WarpSet ready_for(Resource resource) const { return needs_[resource]; }
  WarpSet waiting_for(StallCause cause) const { return waiting_[cause]; }
  /// Those with a cycle in which they go on.
  WarpSet asleep() const { return wheel_.all(); }
  /// The first cycle after `now` in which there is something to wake.
  Cycle next_wake(Cycle now) const { return wheel_.next(now); }

  // -- how a slot's state changes -----------------------------------------------------------------
  /// Fills a free slot, with nothing under way, to go on at `pc`.
  Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t resident, std::uint32_t pc);
  /// It comes at `at`; until then there is nobody.
  void start(WarpSlot warp, Cycle at, Cycle now) {
    assert(at >= now);
    slots_[warp].ready_at = at;
    wheel_.add(set_of(warp), at, now);
    enter(warp, WarpState::starting);
  }
  /// It goes on at `at`, later than `now`.
  void sleep(WarpSlot warp, WarpState state, Cycle at, StallCause cause, Cycle now) {
    assert(is_timed(state) && at > now);
    Slot& slot = slots_[warp];
    slot.ready_at = at;
    slot.cause = cause;
    waiting_[cause] |= set_of(warp);
    wheel_.add(set_of(warp), at, now);
    enter(warp, state);
  }
  /// It goes on when that is reported.
  void block(WarpSlot warp, WarpState state, StallCause cause) {
    assert(is_reported(state));
    slots_[warp].cause = cause;
    waiting_[cause] |= set_of(warp);
    enter(warp, state);
  }
  /// It can issue.
  void make_ready(WarpSlot warp) {
    trace_.change(warp, slots_[warp], WarpState::ready);
    become_ready(warp);
  }
  /// It is issued; the caller says from when it waits again.
  void issue(WarpSlot warp) {
    ready_ &= ~set_of(warp);
    needs_[slots_[warp].needs] &= ~set_of(warp);
    enter(warp, WarpState::deciding);
  }
  /// What it waited for has come.
  void resume(WarpSlot warp, Cycle now) {
    end_wait(warp, now);
    enter(warp, WarpState::deciding);
  }
  /// It waits for its block's end, and is counted no longer.
  void end(WarpSlot warp) {
    waiting_[StallCause::drain] |= set_of(warp);
    enter(warp, WarpState::ended);
  }
  void leave(WarpSlot warp) {
    if (slots_[warp].state == WarpState::ended) waiting_[StallCause::drain] &= ~set_of(warp);
    free_ |= set_of(warp);
    enter(warp, WarpState::free);
  }

  // -- time ---------------------------------------------------------------------------------------
  /// Those that go on at `now`: what waited for nothing but the time to issue is ready; the others
  /// are returned.
  WarpSet wake(Cycle now) {
    const WarpSet due = wheel_.take(now);
    return due == 0 ? 0 : wake(due, now);
  }
  /// Puts the waits of those that are here down to their causes, up to `until`.
  void count_waits(Cycle until);
  /// A wait that lasts until then.
  void count_wait(WarpSlot warp, Cycle until) {
    Slot& slot = slots_[warp];
    if (until <= slot.since) return;
    waited_[slot.cause] += (until - slot.since).count;
    slot.since = until;
  }

  /// Since when a warp waits that does, whatever has been counted of that.
  Cycle waits_since(WarpSlot warp) const {
    const Cycle since = slots_[warp].since;
    return since == counted_until_[warp] ? counted_from_[warp] : since;
  }

  [[gnu::always_inline]] void prefetch(WarpSlot warp) const { __builtin_prefetch(&slots_[warp]); }

  /// Cycles of warps by what they waited for, but for room when they were ready.
  const ByStallCause<std::uint64_t>& waited() const { return waited_; }
  ByStallCause<std::uint64_t>& waited() { return waited_; }

  /// How the slots' states change is noted there; nothing where it is null.
  void trace(trace::Log* log) { trace_.to(log); }
  const WarpTrace& trace() const { return trace_; }

 private:
  /// All else is as it will be in that state.
  void enter(WarpSlot warp, WarpState state) {
    Slot& slot = slots_[warp];
    assert(may_follow(slot.state, state));
    trace_.change(warp, slot, state);
    slot.state = state;
  }
  /// It can issue. Of one that was `waiting` that has been noted, as it began to wait.
  void become_ready(WarpSlot warp) {
    Slot& slot = slots_[warp];
    assert(may_follow(slot.state, WarpState::ready));
    ready_ |= set_of(warp);
    needs_[slot.needs] |= set_of(warp);
    slot.state = WarpState::ready;
  }
  WarpSet wake(WarpSet due, Cycle now);
  void end_wait(WarpSlot warp, Cycle now) {
    waiting_[slots_[warp].cause] &= ~set_of(warp);
    count_wait(warp, now);
  }

  WarpSet all_ = 0;
  WarpSet free_ = 0;
  WarpSet ready_ = 0;
  ByResource<WarpSet> needs_{};
  ByStallCause<WarpSet> waiting_{};
  WakeWheel wheel_;
  ByStallCause<std::uint64_t> waited_{};
  WarpTrace trace_;
  std::array<Slot, kMostWarps> slots_{};
  // Of waits that count_waits() has cut in two: where they began, and where it cut.
  std::array<Cycle, kMostWarps> counted_from_{};
  std::array<Cycle, kMostWarps> counted_until_{};
};

}  // namespace heddle::sm
