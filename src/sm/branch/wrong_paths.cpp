#include "sm/branch/wrong_paths.h"

namespace heddle::sm {

WarpSet WrongPaths::due_warps(Cycle now) {
  WarpSet due = 0;
  for_each_warp(pending_, [&](WarpSlot warp) {
    const Path& path = paths_[warp];
    if (path.until <= now || path.earliest_issue() >= path.until) {
      give_up(warp);
    } else if (path.earliest_issue() <= now) {
      due |= set_of(warp);
    }
  });
  return due;
}

Cycle WrongPaths::next(Cycle now) const {
  Cycle next = Cycle::never();
  for_each_warp(pending_, [&](WarpSlot warp) {
    const Path& path = paths_[warp];
    const Cycle at = std::max(path.earliest_issue(), now + Cycles(1));
    if (at < path.until) next = std::min(next, at);
  });
  return next;
}

bool WrongPaths::issue(WarpSlot warp) {
  Path& path = paths_[warp];
  ++issued_;
  ++path.pc;
  const bool has_more = ++path.next < path.count;
  if (!has_more) give_up(warp);
  return has_more;
}

}  // namespace heddle::sm
