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

/// Each has the warps whose slot is its number, modulo their count.
class WarpSchedulers {
 public:
  WarpSchedulers(const ScheduleDescription& description, WarpSet warps, const CoreView& core,
                 ActivityListener* listener = nullptr);

  std::uint32_t count() const { return static_cast<std::uint32_t>(turns_.size()); }
  std::uint32_t number_of(WarpSlot warp) const { return numbers_[warp]; }
  Scheduler& operator[](std::uint32_t number) { return *turns_[number].policy; }
  const Scheduler& operator[](std::uint32_t number) const { return *turns_[number].policy; }
  Scheduler& of(WarpSlot warp) { return *turns_[number_of(warp)].policy; }
  WarpSet warps_of(std::uint32_t number) const { return turns_[number].warps; }
  /// The warp has ended, or its threads go on as other warps.
  void end(WarpSlot warp) {
    of(warp).ended(warp);
    if (listener_ != nullptr) listener_->ended(warp);
  }
  /// From one instruction of a scheduler to its next.
  Cycles interval() const { return interval_; }

  bool issued_before(std::uint32_t number, Cycle now) const {
    return turns_[number].issues_from > now;
  }
  /// The warp's instruction issues in passes, the last at `last`; until then nothing else is chosen
  /// (Narasiman et al., Large Warps, section 3.1.1: fetch stalls until the large warp has been
  /// broken down).
  void hold(WarpSlot warp, Cycle last) {
    Turn& turn = turns_[number_of(warp)];
    turn.issues_from = last + interval_;
    turn.breaks_down_until = last + Cycles(1);
    any_breaks_down_until_ = std::max(any_breaks_down_until_, turn.breaks_down_until);
  }
  /// After hold(): nothing else is chosen for so long again.
  void hold_longer(WarpSlot warp, Cycles more) { turns_[number_of(warp)].issues_from += more; }
  bool any_breaks_down(Cycle now) const { return any_breaks_down_until_ > now; }
  /// Whether a pass of an instruction that was picked earlier issues at `now`.
  bool breaks_down(std::uint32_t number, Cycle now) const {
    return turns_[number].breaks_down_until > now;
  }
  /// The first cycle after `now` in which a scheduler can issue that cannot now; never() where all
  /// can.
  Cycle next_turn(Cycle now) const;

  // -- policies that look though nothing happens (Scheduler::looks_again) -------------------------
  /// The first cycle in which one looks; never() where none does.
  Cycle next_look() const { return next_look_; }
  /// Those whose cycle has come look.
  void look(Cycle now);
  /// It has picked none of its warps, and may want to look again.
  void picked_none(std::uint32_t number, Cycle now) { find_next_look(turns_[number], now); }

  void declare(CounterList& counters);

 private:
  struct Turn {
    std::unique_ptr<Scheduler> policy;
    WarpSet warps = 0;
    Cycle issues_from;
    Cycle breaks_down_until;
    Cycle looks_at = Cycle::never();
  };

  void find_next_look(Turn& turn, Cycle now);

  ActivityListener* listener_;  ///< Null where nobody listens.
  Cycles interval_;
  std::array<std::uint8_t, kMostWarps> numbers_{};  ///< Of its scheduler, by slot.
  ScheduleDescription description_;                 ///< The policies keep a reference to it.
  std::vector<Turn> turns_;
  Cycle any_breaks_down_until_;
  Cycle next_look_ = Cycle::never();
};

}  // namespace heddle::sm
