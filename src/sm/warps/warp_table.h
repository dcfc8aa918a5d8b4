#pragma once

// The warp table contains the warp slots of a multiprocessor. It records what each warp waits for,
// and since when.
//
// A warp that waits for a known cycle is in the wake wheel. When a wait ends, the table adds its
// cycles to those of its reason.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/cycle.h"
#include "base/host_lines.h"
#include "sm/grid.h"
#include "sm/ids.h"
#include "sm/instructions/resource.h"
#include "sm/stalls/wait_reason.h"
#include "sm/stalls/warp_stall_cycles.h"
#include "sm/warps/wake_wheel.h"
#include "sm/warps/warp_state.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// A warp slot. It fits into one cache line of the host, and the simulation of most instructions
/// needs no other data of a warp.
struct alignas(kHostLineBytes) Slot {
  const Grid* grid = nullptr;
  const IssueInfo* next = nullptr;  ///< The warp's next instruction.
  Cycle since{};         ///< When its wait begins: later than now while passes still issue.
  Cycle issue_end{};     ///< The cycle after the last pass of its last instruction.
  Cycle ready_at{};      ///< When the warp resumes, if that is known.
  Cycle available_at{};  ///< When its next instruction has been fetched and may issue.
  std::uint32_t pc = 0;
  std::uint32_t block_slot = 0;  ///< The number of its block in ResidentBlocks.
  WarpState state = WarpState::free;
  WaitReason reason = WaitReason::fixed_latency_result;  ///< What the warp waits for.
  WaitReason available_reason = WaitReason::fetch;       ///< What it waits for until available_at.
  Resource needs = Resource::none;  ///< The resource in which its next instruction needs space.

  /// Makes the instruction at `target` the next one.
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
  WarpSet waiting_for(WaitReason reason) const { return waiting_[reason]; }
  /// The warps that wait for a known cycle.
  WarpSet asleep() const { return wheel_.all(); }
  /// The first cycle after `now` in which a warp wakes; never() if no warp is asleep.
  Cycle next_wake(Cycle now) const { return wheel_.next(now); }

  // -- how a slot's state changes -----------------------------------------------------------------
  /// Fills a free slot with a warp that has nothing in flight and whose next instruction is at
  /// `pc`.
  Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot, std::uint32_t pc);
  /// The warp starts at `at`. Its cycles before that are not counted.
  void start(WarpSlot warp, Cycle at, Cycle now) {
    assert(at >= now);
    slots_[warp].ready_at = at;
    wheel_.add(set_of(warp), at, now);
    enter(warp, WarpState::starting);
  }
  /// The warp waits until `at`, which is later than `now`.
  void sleep(WarpSlot warp, WarpState state, Cycle at, WaitReason reason, Cycle now) {
    assert(is_timed(state) && at > now);
    Slot& slot = slots_[warp];
    slot.ready_at = at;
    slot.reason = reason;
    waiting_[reason] |= set_of(warp);
    wheel_.add(set_of(warp), at, now);
    enter(warp, state);
  }
  /// The warp waits for an event.
  void block(WarpSlot warp, WarpState state, WaitReason reason) {
    assert(ends_with_event(state));
    slots_[warp].reason = reason;
    waiting_[reason] |= set_of(warp);
    enter(warp, state);
  }
  void make_ready(WarpSlot warp) {
    trace_.change(warp, slots_[warp], WarpState::ready);
    become_ready(warp);
  }
  /// The warp issues. The caller then calls end_issue().
  void issue(WarpSlot warp) {
    ready_ &= ~set_of(warp);
    needs_[slots_[warp].needs] &= ~set_of(warp);
    enter(warp, WarpState::deciding);
  }
  /// The last pass of the warp's instruction issues at `at`. The warp waits from the next cycle on.
  void end_issue(WarpSlot warp, Cycle at) {
    slots_[warp].since = slots_[warp].issue_end = at + Cycles(1);
  }
  /// The wait of the warp is over.
  void resume(WarpSlot warp, Cycle now) {
    end_wait(warp, now);
    enter(warp, WarpState::deciding);
  }
  /// The warp has ended and waits for the end of its block. Its cycles are no longer counted.
  void end(WarpSlot warp) {
    waiting_[WaitReason::block_end] |= set_of(warp);
    enter(warp, WarpState::ended);
  }
  /// The slot becomes free.
  void leave(WarpSlot warp) {
    if (slots_[warp].state == WarpState::ended) waiting_[WaitReason::block_end] &= ~set_of(warp);
    free_ |= set_of(warp);
    enter(warp, WarpState::free);
  }

  // -- time ---------------------------------------------------------------------------------------
  /// Wakes the warps whose wait ends at `now`. Warps in state `waiting` become ready; the others
  /// are returned, and the caller decides their next state.
  WarpSet wake(Cycle now) {
    const WarpSet due = wheel_.take(now);
    return due == 0 ? 0 : wake(due, now);
  }
  /// Counts the unfinished waits of all warps up to `until`, under their reasons.
  void count_waits(Cycle until);
  /// Counts the warp's wait, which ends at `until`, under its reason. Another wait may follow.
  void count_wait(WarpSlot warp, Cycle until) {
    Slot& slot = slots_[warp];
    if (until <= slot.since) return;
    count_uncounted(slot, until);
    slot.since = until;
  }

  [[gnu::always_inline]] void prefetch(WarpSlot warp) const { __builtin_prefetch(&slots_[warp]); }

  /// The cycles in which warps did not issue. The table counts waits; StallAccounting adds the
  /// cycles of ready warps.
  const WarpStallCycles& stall_cycles() const { return stall_cycles_; }
  WarpStallCycles& stall_cycles() { return stall_cycles_; }

  /// From now on state changes are written to `log`; none are written if it is null.
  void trace(trace::Log* log) { trace_.write_to(log); }
  const WarpTrace& trace() const { return trace_; }

 private:
  /// Enters a state. All other members of the slot must be set already.
  void enter(WarpSlot warp, WarpState state) {
    Slot& slot = slots_[warp];
    assert(may_follow(slot.state, state));
    trace_.change(warp, slot, state);
    slot.state = state;
  }
  /// Makes a warp ready, without a trace event: for a `waiting` warp, the event was recorded when
  /// the wait began.
  void become_ready(WarpSlot warp) {
    Slot& slot = slots_[warp];
    assert(may_follow(slot.state, WarpState::ready));
    ready_ |= set_of(warp);
    needs_[slot.needs] |= set_of(warp);
    slot.state = WarpState::ready;
  }
  WarpSet wake(WarpSet due, Cycle now);
  /// Counts the part of the slot's wait before `until` that count_waits() has not counted.
  void count_uncounted(const Slot& slot, Cycle until) {
    const Cycle from = std::max(slot.since, counted_until_);
    if (from < until) stall_cycles_.add_wait(slot.reason, (until - from).count);
  }
  void end_wait(WarpSlot warp, Cycle now) {
    waiting_[slots_[warp].reason] &= ~set_of(warp);
    count_wait(warp, now);
  }

  std::array<Slot, kMaxWarps> slots_{};
  WarpSet all_ = 0;
  WarpSet free_ = 0;
  WarpSet ready_ = 0;
  ByResource<WarpSet> needs_{};      ///< The ready warps that need space in each resource.
  ByWaitReason<WarpSet> waiting_{};  ///< The warps that wait, by reason.
  WakeWheel wheel_;
  WarpStallCycles stall_cycles_;
  WarpTrace trace_;
  Cycle counted_until_{};  ///< The cycle up to which count_waits() has counted all waits.
};

}  // namespace heddle::sm
