#include "sm/branch/wrong_paths.h"

#include <algorithm>

namespace heddle::sm {

WarpSet WrongPaths::due(Cycle now) {
  WarpSet due = 0;
  for_each_warp(there_, [&](WarpSlot warp) {
    if (paths_[warp].until <= now) {
      there_ &= ~set_of(warp);
    } else if (front(warp).from <= now) {
      due |= set_of(warp);
    }
  });
  return due;
}

Cycle WrongPaths::next(Cycle now) const {
  Cycle next = Cycle::never();
  for_each_warp(there_, [&](WarpSlot warp) {
    const Cycle at = std::max(front(warp).from, now + Cycles(1));
    if (at < paths_[warp].until) next = std::min(next, at);
  });
  return next;
}

void WrongPaths::issue(WarpSlot warp, Cycle now) {
  Path& path = paths_[warp];
  ++issued_;
  if (++path.next == path.count) {
    there_ &= ~set_of(warp);
    return;
  }
  StrayInstruction& following = path.instructions[path.next];
  following.from = std::max(following.from, now + Cycles(1));
}

}  // namespace heddle::sm
