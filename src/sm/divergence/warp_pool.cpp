#include "sm/divergence/warp_pool.h"

#include <bit>

namespace heddle::sm {

WarpSlot WarpPool::youngest(std::uint32_t grid, std::uint32_t pc) const {
  WarpSlot found = kNoWarp;
  for (WarpSet left = waiting_; left != 0; left &= left - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(left));
    const Standing& standing = standings_[warp];
    if (standing.pc != pc || standing.grid != grid) continue;
    if (found == kNoWarp || standing.since > standings_[found].since) found = warp;
  }
  return found;
}

LaneMask join(exec::FormedThreads& from, exec::FormedThreads& into) {
  const LaneMask moved = from.lanes.without(into.lanes);
  for (LaneMask left = moved; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
    into.row[lane] = from.row[lane];
  }
  into.lanes = into.lanes | moved;
  from.lanes = from.lanes.without(moved);
  return moved;
}

}  // namespace heddle::sm
