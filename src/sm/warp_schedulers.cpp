#include "sm/warp_schedulers.h"

namespace heddle::sm {

WarpSchedulers::WarpSchedulers(const ScheduleDescription& description, WarpSet warps,
                               ActivityListener* listener)
    : listener_(listener),
      interval_(description.interval),
      description_(description),
      turns_(description.schedulers) {
  for_each_warp(warps, [&](WarpSlot warp) {
    numbers_[warp] = static_cast<std::uint8_t>(warp % count());
    turns_[number_of(warp)].warps |= set_of(warp);
  });
  for (Turn& turn : turns_) {
    turn.policy = make_scheduler(description_, turn.warps, listener_);
  }
}

Cycle WarpSchedulers::next_turn(Cycle now) const {
  Cycle next = Cycle::never();
  for (const Turn& turn : turns_) {
    if (turn.issues_from > now) next = std::min(next, turn.issues_from);
  }
  return next;
}

}  // namespace heddle::sm
