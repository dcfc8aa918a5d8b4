#pragma once

// The warp table: the warp slots of a multiprocessor. It records what each warp waits for, and
// since when.
//
// Sets of warps are 64-bit masks. A warp that waits for a known cycle is on the wake wheel. When a
// wait ends, its cycles are counted under its cause.

#include <array>
#include <cassert>
#include <cstdint>

#include "base/cycle.h"
#include "base/host_lines.h"
#include "exec/execution_profile.h"
#include "sm/grid.h"
#include "sm/ids.h"
#include "sm/stalls/resource.h"
#include "sm/stalls/stall_cause.h"
#include "sm/warps/wake_wheel.h"
#include "sm/warps/warp_state.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// A warp slot. It fits into one cache line of the host, and the simulation of most instructions
/// needs no other data of a warp.
struct alignas(kHostLineBytes) Slot {
  const Grid* grid = nullptr;
  const IssueInfo* next = nullptr;            ///< Its next instruction.
  exec::ExecutionProfile* profile = nullptr;  ///< Counts its instructions; null if there is none.
  Cycle since{};                              ///< When the warp began to wait.
  Cycle ready_at{};                           ///< When the warp resumes, if that is known.
  Cycle available{};  ///< When its next instruction has been fetched and may issue.
  std::uint32_t pc = 0;
  std::uint32_t block_slot = 0;  ///< The slot of its block, for ResidentBlocks.
  WarpState state = WarpState::free;
  StallCause cause = StallCause::wait;                      ///< Why the warp waits.
  StallCause available_cause = StallCause::no_instruction;  ///< Why it waits until `available`.
  Resource needs = Resource::none;  ///< The resource in which its next instruction needs space.

  /// Continues at `target`.
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
  /// The ready warps that need space in `resource`.
  WarpSet ready_for(Resource resource) const { return needs_[resource]; }
  WarpSet waiting_for(StallCause cause) const { return waiting_[cause]; }
  /// The warps that wait for a known cycle.
  WarpSet asleep() const { return wheel_.all(); }
  /// The first cycle after `now` in which a warp wakes.
  Cycle next_wake(Cycle now) const { return wheel_.next(now); }

  // -- how a slot's state changes -----------------------------------------------------------------
  /// Fills a free slot with a warp that has nothing in flight, and starts at `pc`.
  Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot, std::uint32_t pc);
  /// The warp starts at `at`. Its cycles before that are not counted.
  void start(WarpSlot warp, Cycle at, Cycle now) {
    assert(at >= now);
    slots_[warp].ready_at = at;
    wheel_.add(set_of(warp), at, now);
    enter(warp, WarpState::starting);
  }
  /// The warp waits until `at`, which is later than `now`.
  void sleep(WarpSlot warp, WarpState state, Cycle at, StallCause cause, Cycle now) {
    assert(is_timed(state) && at > now);
    Slot& slot = slots_[warp];
    slot.ready_at = at;
    slot.cause = cause;
    waiting_[cause] |= set_of(warp);
    wheel_.add(set_of(warp), at, now);
    enter(warp, state);
  }
  /// The warp waits for an event.
  void block(WarpSlot warp, WarpState state, StallCause cause) {
    assert(is_reported(state));
    slots_[warp].cause = cause;
    waiting_[cause] |= set_of(warp);
    enter(warp, state);
  }
  void make_ready(WarpSlot warp) {
    trace_.change(warp, slots_[warp], WarpState::ready);
    become_ready(warp);
  }
  /// The warp issues. The caller sets Slot::since, when the warp begins to wait again.
  void issue(WarpSlot warp) {
    ready_ &= ~set_of(warp);
    needs_[slots_[warp].needs] &= ~set_of(warp);
    enter(warp, WarpState::deciding);
  }
  /// The wait of the warp is over.
  void resume(WarpSlot warp, Cycle now) {
    end_wait(warp, now);
    enter(warp, WarpState::deciding);
  }
  /// The warp has ended, waits for the end of its block, and is no longer counted.
  void end(WarpSlot warp) {
    waiting_[StallCause::drain] |= set_of(warp);
    enter(warp, WarpState::ended);
  }
  /// The slot becomes free.
  void leave(WarpSlot warp) {
    if (slots_[warp].state == WarpState::ended) waiting_[StallCause::drain] &= ~set_of(warp);
    free_ |= set_of(warp);
    enter(warp, WarpState::free);
  }

  // -- time ---------------------------------------------------------------------------------------
  /// Wakes the warps whose wait ends at `now`. Those in state `waiting` become ready. The others
  /// are returned.
  WarpSet wake(Cycle now) {
    const WarpSet due = wheel_.take(now);
    return due == 0 ? 0 : wake(due, now);
  }
  /// Counts the unfinished waits of all warps up to `until`, under their causes.
  void count_waits(Cycle until);
  /// Counts a wait that lasts until `until`.
  void count_wait(WarpSlot warp, Cycle until) {
    Slot& slot = slots_[warp];
    if (until <= slot.since) return;
    waited_[slot.cause] += (until - slot.since).count;
    slot.since = until;
  }

  /// When a waiting warp began to wait, even if count_waits() has counted a part of the wait.
  Cycle waits_since(WarpSlot warp) const {
    const Cycle since = slots_[warp].since;
    return since == counted_until_[warp] ? counted_from_[warp] : since;
  }

  [[gnu::always_inline]] void prefetch(WarpSlot warp) const { __builtin_prefetch(&slots_[warp]); }

  /// Cycles of warps by stall cause, except those of ready warps that lacked space.
  const ByStallCause<std::uint64_t>& waited() const { return waited_; }
  ByStallCause<std::uint64_t>& waited() { return waited_; }

  /// State changes are written to `log`, if it is not null.
  void trace(trace::Log* log) { trace_.to(log); }
  const WarpTrace& trace() const { return trace_; }

 private:
  /// Enters a state. All other members of the slot must be set already.
  void enter(WarpSlot warp, WarpState state) {
    Slot& slot = slots_[warp];
    assert(may_follow(slot.state, state));
    trace_.change(warp, slot, state);
    slot.state = state;
  }
  /// Makes a warp ready. If it was `waiting`, the trace recorded this when it began to wait.
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
  ByResource<WarpSet> needs_{};      ///< The ready warps that need space in each resource.
  ByStallCause<WarpSet> waiting_{};  ///< The waiting warps, by why they wait.
  WakeWheel wheel_;
  ByStallCause<std::uint64_t> waited_{};
  WarpTrace trace_;
  std::array<Slot, kMostWarps> slots_{};
  // For waits of which count_waits() has counted a part: when they began, and until when they have
  // been counted. By slot.
  std::array<Cycle, kMostWarps> counted_from_{};
  std::array<Cycle, kMostWarps> counted_until_{};
};

}  // namespace heddle::sm
