#include "sm/divergence/sub_warps.h"

namespace heddle::sm {

void pack_sub_warps(std::span<const StaticWarp> rows, std::vector<Pass>& sub_warps) {
  sub_warps.clear();
  for (const StaticWarp& row : rows) {
    // A thread goes to the first sub-warp that has no thread of its column yet.
    LaneMask left = row.path;
    for (std::size_t i = 0; !left.empty(); ++i) {
      if (i == sub_warps.size()) {
        sub_warps.push_back({.lanes = left, .static_warp = &row});
        break;
      }
      Pass& sub_warp = sub_warps[i];
      const LaneMask taken = sub_warp.lanes & left;
      if (taken == left) continue;
      sub_warp.lanes = sub_warp.lanes | left;
      sub_warp.static_warp = nullptr;
      left = taken;
    }
  }
}

}  // namespace heddle::sm
