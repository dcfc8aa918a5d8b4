#pragma once

// The schedulers of a multiprocessor: which warps belong to each, when each can issue, and in which
// order they issue in a cycle.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// A scheduler, its warps, and when it can issue.
struct SchedulerState {
  std::unique_ptr<Scheduler> policy;
  WarpSet warps = 0;
  std::uint32_t sub_core = 0;        ///< The number of its sub-core.
  Cycle free_from;                   ///< The first cycle in which it can issue again.
  Cycle passes_until;                ///< The cycle after the last booked pass.
  Cycle update_at = Cycle::never();  ///< The cycle of its next update.

  bool is_busy_at(Cycle now) const { return free_from > now; }
  /// Whether a pass of an instruction that was picked in an earlier cycle issues at `now`. (Threads
  /// of a large warp go through a unit in several passes, one every `interval` cycles.)
  bool has_pass_at(Cycle now, Cycles interval) const {
    return passes_until > now && (passes_until - now).count % interval.count == 1 % interval.count;
  }
};

/// Scheduler i has the warps whose slot modulo the number of schedulers is i. It belongs to the
/// sub-core whose number is i modulo the number of sub-cores.
class WarpSchedulers {
 public:
  /// `description`: the schedulers of each sub-core.
  WarpSchedulers(const ScheduleDescription& description, std::uint32_t sub_cores, WarpSet warps,
                 const CoreView& core, ActivityListener* listener = nullptr);

  std::uint32_t count() const { return count_; }
  std::uint32_t scheduler_number_of(WarpSlot warp) const { return scheduler_numbers_[warp]; }
  Scheduler& operator[](std::uint32_t number) { return *schedulers_[number].policy; }
  const Scheduler& operator[](std::uint32_t number) const { return *schedulers_[number].policy; }
  Scheduler& scheduler_of(WarpSlot warp) { return *schedulers_[scheduler_number_of(warp)].policy; }
  /// The number of the scheduler that issues first at `now`, and so has the first claim on shared
  /// resources. The schedulers take turns.
  std::uint32_t first_in_turn(Cycle now) const {
    // Avoids a division for most numbers of schedulers.
    const std::uint64_t number = now.number;
    const bool is_power_of_two = (count_ & (count_ - 1)) == 0;
    return static_cast<std::uint32_t>(is_power_of_two ? number & (count_ - 1) : number % count_);
  }
  SchedulerState& state(std::uint32_t number) { return schedulers_[number]; }
  const SchedulerState& state(std::uint32_t number) const { return schedulers_[number]; }
  WarpSet warps_of(std::uint32_t number) const { return schedulers_[number].warps; }
  /// The warp has ended, or its threads have been formed into other warps.
  void end(WarpSlot warp) {
    scheduler_of(warp).ended(warp);
    if (listener_ != nullptr) listener_->ended(warp);
  }
  /// The time from one instruction of a scheduler to the next.
  Cycles interval() const { return interval_; }

  /// The scheduler issues an instruction at `now`.
  void issue(SchedulerState& scheduler, Cycle now) { scheduler.free_from = now + interval_; }
  /// The warp's instruction has several passes, and the last one issues at `last_pass`. Until then,
  /// the warp's scheduler picks no other warp (Narasiman et al., Large Warps, section 3.1.1: fetch
  /// stalls until the large warp has been broken down).
  void hold(WarpSlot warp, Cycle last_pass) {
    SchedulerState& scheduler = schedulers_[scheduler_number_of(warp)];
    scheduler.free_from = last_pass + interval_;
    scheduler.passes_until = last_pass + Cycles(1);
  }
  /// After issue() and hold(): the warp's scheduler can issue again at `at`.
  void free_at(WarpSlot warp, Cycle at) { schedulers_[scheduler_number_of(warp)].free_from = at; }
  /// The next cycle in which a busy scheduler becomes free to issue again; never() if none is busy
  /// at `now`.
  Cycle next_free(Cycle now) const;
  /// The next cycle after `now` in which a scheduler has a pass (SchedulerState::has_pass_at());
  /// never() if none has.
  Cycle next_pass(Cycle now) const;

  // -- updates in cycles without other events (Scheduler::next_update) ----------------------------
  /// The first cycle in which a scheduler updates; never() if none does.
  Cycle next_update() const { return next_update_; }
  /// Updates the schedulers whose next update is at `now` or earlier.
  void update(Cycle now);
  /// The scheduler has picked none of its warps, and may ask for another update.
  void picked_none(SchedulerState& scheduler, Cycle now) { find_next_update(scheduler, now); }

  void declare(CounterList& counters);

 private:
  void find_next_update(SchedulerState& scheduler, Cycle now);

  ActivityListener* listener_;  ///< May be null.
  Cycles interval_;
  std::array<std::uint8_t, kMaxWarps> scheduler_numbers_{};  ///< By warp slot.
  ScheduleDescription description_;  ///< The policies keep a reference to it.
  std::uint32_t count_;
  std::vector<SchedulerState> schedulers_;
  Cycle next_update_ = Cycle::never();
};

}  // namespace heddle::sm
