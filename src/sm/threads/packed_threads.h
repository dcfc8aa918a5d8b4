#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sm/threads/static_warp.h"

namespace heddle::sm {

/// Calls each(static_warp, lane, pass) for every thread on the paths of static warps whose threads
/// share passes. `pass` is the number of the thread's pass, from 0 on. The first thread of a lane
/// is in pass 0, the second in pass 1, and so on, in the order of the static warps, as in
/// pack_sub_warps().
template <class Each>
void for_each_packed_thread(std::span<const StaticWarp> static_warps, Each each) {
  std::array<std::size_t, kWarpSize> pass_of_lane{};
  for (const StaticWarp& static_warp : static_warps) {
    for (LaneMask rest = static_warp.path; !rest.empty(); rest = rest.without_lowest()) {
      const int lane = rest.lowest();
      each(static_warp, lane, pass_of_lane[static_cast<std::size_t>(lane)]++);
    }
  }
}

}  // namespace heddle::sm
