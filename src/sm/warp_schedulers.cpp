#include "sm/warp_schedulers.h"

namespace heddle::sm {

WarpSchedulers::WarpSchedulers(const ScheduleDescription& description, WarpSet warps,
                               const CoreView& core, ActivityListener* listener)
    : listener_(listener),
      interval_(description.interval),
      description_(description),
      count_(description.schedulers),
      turns_(description.schedulers) {
  for_each_warp(warps, [&](WarpSlot warp) {
    numbers_[warp] = static_cast<std::uint8_t>(warp % count());
    turns_[number_of(warp)].warps |= set_of(warp);
  });
  for (SchedulerTurn& turn : turns_) {
    turn.policy = make_scheduler(description_, turn.warps, core, listener_);
    find_next_look(turn, Cycle(0));
  }
}

Cycle WarpSchedulers::next_turn(Cycle now) const {
  Cycle next = Cycle::never();
  for (const SchedulerTurn& turn : turns_) {
    if (turn.issues_from > now) next = std::min(next, turn.issues_from);
  }
  return next;
}

void WarpSchedulers::look(Cycle now) {
  for (SchedulerTurn& turn : turns_) {
    if (turn.looks_at > now) continue;
    turn.policy->look(now);
    find_next_look(turn, now);
  }
}

void WarpSchedulers::find_next_look(SchedulerTurn& turn, Cycle now) {
  const Cycle at = std::max(turn.policy->looks_again(now), now + Cycles(1));
  if (at == turn.looks_at) return;
  turn.looks_at = at;
  next_look_ = Cycle::never();
  for (const SchedulerTurn& other : turns_) next_look_ = std::min(next_look_, other.looks_at);
}

void WarpSchedulers::declare(CounterList& counters) {
  for (SchedulerTurn& turn : turns_) counters.part("schedule", *turn.policy);
}

}  // namespace heddle::sm
