#include "sm/divergence/warp_pool.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

bool join(Company& from, Company& into) {
  const LaneMask free = ~into.threads.lanes;
  if ((from.threads.lanes & free).empty()) return false;
  for (const exec::FormedThreads::Part& part : from.threads.parts) {
    const LaneMask moved = part.lanes & free;
    if (!moved.empty()) into.threads.add({part.row, moved});
  }
  from.threads.keep(~free);
  into.passed = std::min(into.passed, from.passed);
  return true;
}

void WarpPool::add(WarpSlot warp, std::uint32_t grid, std::uint32_t pc) {
  Group& group = groups_[group_of(pc)];
  group.waiting |= set_of(warp);
  group.youngest = warp;
  standings_[warp] = {.grid = grid, .pc = pc, .since = ++clock_};
}

void WarpPool::remove(WarpSlot warp) {
  groups_[group_of(standings_[warp].pc)].waiting &= ~set_of(warp);
}

WarpSlot WarpPool::youngest(std::uint32_t grid, std::uint32_t pc) const {
  const Group& group = groups_[group_of(pc)];
  const auto matches = [&](WarpSlot warp) {
    return standings_[warp].pc == pc && standings_[warp].grid == grid;
  };
  if ((group.waiting & set_of(group.youngest)) != 0 && matches(group.youngest)) {
    return group.youngest;
  }
  WarpSlot found = kNoWarp;
  for (WarpSet left = group.waiting; left != 0; left &= left - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(left));
    if (!matches(warp)) continue;
    if (found == kNoWarp || standings_[warp].since > standings_[found].since) found = warp;
  }
  return found;
}

}  // namespace heddle::sm
