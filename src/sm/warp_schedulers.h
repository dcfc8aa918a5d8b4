#pragma once

// A multiprocessor's schedulers: whose turn it is, which warps each has, and when it can issue.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// One of them, and when it can issue.
struct SchedulerTurn {
  std::unique_ptr<Scheduler> policy;
  WarpSet warps = 0;
  Cycle issues_from;
  Cycle breaks_down_until;
  Cycle looks_at = Cycle::never();

  bool issued_before(Cycle now) const { return issues_from > now; }
  /// Whether a pass of an instruction that was picked earlier issues at `now`.
  bool breaks_down(Cycle now) const { return breaks_down_until > now; }
};

/// Each has the warps whose slot is its number, modulo their count.
class WarpSchedulers {
 public:
  WarpSchedulers(const ScheduleDescription& description, WarpSet warps, const CoreView& core,
                 ActivityListener* listener = nullptr);

  std::uint32_t count() const { return count_; }
  std::uint32_t number_of(WarpSlot warp) const { return numbers_[warp]; }
  Scheduler& operator[](std::uint32_t number) { return *turns_[number].policy; }
  const Scheduler& operator[](std::uint32_t number) const { return *turns_[number].policy; }
  Scheduler& of(WarpSlot warp) { return *turns_[number_of(warp)].policy; }
  /// The one that goes first to what they share: each of them in turn.
  std::uint32_t first_in_turn(Cycle now) const {
    // Without a division where there is none to do, as on most machines.
    const std::uint64_t number = now.number;
    const bool is_power_of_two = (count_ & (count_ - 1)) == 0;
    return static_cast<std::uint32_t>(is_power_of_two ? number & (count_ - 1) : number % count_);
  }
  SchedulerTurn& turn(std::uint32_t number) { return turns_[number]; }
  const SchedulerTurn& turn(std::uint32_t number) const { return turns_[number]; }
  WarpSet warps_of(std::uint32_t number) const { return turns_[number].warps; }
  /// The warp has ended, or its threads go on as other warps.
  void end(WarpSlot warp) {
    of(warp).ended(warp);
    if (listener_ != nullptr) listener_->ended(warp);
  }
  /// From one instruction of a scheduler to its next.
  Cycles interval() const { return interval_; }

  /// The scheduler issues an instruction at `now`.
  void issue(SchedulerTurn& turn, Cycle now) { turn.issues_from = now + interval_; }
  /// The instruction that it has issued goes on in passes, the last at `last`; until then nothing
  /// else is chosen (Narasiman et al., Large Warps, section 3.1.1: fetch stalls until the large
  /// warp has been broken down).
  void hold(WarpSlot warp, Cycle last) {
    SchedulerTurn& turn = turns_[number_of(warp)];
    turn.issues_from = last + interval_;
    turn.breaks_down_until = last + Cycles(1);
  }
  /// After hold(): nothing else is chosen for so long again.
  void hold_longer(WarpSlot warp, Cycles more) { turns_[number_of(warp)].issues_from += more; }
  /// The first cycle after `now` in which a scheduler can issue that cannot now; never() where all
  /// can.
  Cycle next_turn(Cycle now) const;

  // -- policies that look though nothing happens (Scheduler::looks_again) -------------------------
  /// The first cycle in which one looks; never() where none does.
  Cycle next_look() const { return next_look_; }
  /// Those whose cycle has come look.
  void look(Cycle now);
  /// It has picked none of its warps, and may want to look again.
  void picked_none(SchedulerTurn& turn, Cycle now) { find_next_look(turn, now); }

  void declare(CounterList& counters);

 private:
  void find_next_look(SchedulerTurn& turn, Cycle now);

  ActivityListener* listener_;  ///< Or null.
  Cycles interval_;
  std::array<std::uint8_t, kMostWarps> numbers_{};  ///< Of its scheduler, by slot.
  ScheduleDescription description_;                 ///< The policies keep a reference to it.
  std::uint32_t count_;
  std::vector<SchedulerTurn> turns_;
  Cycle next_look_ = Cycle::never();
};

}  // namespace heddle::sm
