#include "sm/divergence/sub_warps.h"

namespace heddle::sm {

void pack_sub_warps(std::span<const StaticWarp> rows, std::vector<Pass>& sub_warps) {
  sub_warps.clear();
  for (const StaticWarp& row : rows) {
    // A thread goes to the first sub-warp that has no thread of its column yet.
    LaneMask rest = row.path;
    for (std::size_t i = 0; !rest.empty(); ++i) {
      if (i == sub_warps.size()) {
        sub_warps.push_back({.lanes = rest, .static_warp = &row});
        break;
      }
      Pass& sub_warp = sub_warps[i];
      const LaneMask conflicts = sub_warp.lanes & rest;
      if (conflicts == rest) continue;
      sub_warp.lanes = sub_warp.lanes | rest;
      sub_warp.static_warp = nullptr;
      rest = conflicts;
    }
  }
}

}  // namespace heddle::sm
