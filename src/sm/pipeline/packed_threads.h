#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// Calls each(static_warp, lane, pass) for all threads on the paths of static warps that share
/// passes. `pass` is the number of the thread's pass. As in pack_sub_warps(), the threads of a lane
/// go through the passes in the order of their static warps.
template <class Each>
void for_each_packed_thread(std::span<const StaticWarp> static_warps, Each each) {
  std::array<std::size_t, kWarpSize> pass_of_lane{};
  for (const StaticWarp& static_warp : static_warps) {
    for (LaneMask left = static_warp.path; !left.empty(); left = left.without_lowest()) {
      const int lane = left.lowest();
      each(static_warp, lane, pass_of_lane[static_cast<std::size_t>(lane)]++);
    }
  }
}

}  // namespace heddle::sm
