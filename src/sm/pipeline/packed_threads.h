#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// each(row, lane, pass) for all threads on the rows' paths, where a pass has threads of several
/// rows: those of a lane go through the passes in the order of their rows, as pack_sub_warps() has
/// it.
template <class Each>
void for_each_packed_thread(std::span<const Row> rows, Each each) {
  std::array<std::size_t, kWarpSize> pass_of_lane{};
  for (const Row& row : rows) {
    for (LaneMask left = row.path; !left.empty(); left = left.without_lowest()) {
      const int lane = left.lowest();
      each(row, lane, pass_of_lane[static_cast<std::size_t>(lane)]++);
    }
  }
}

}  // namespace heddle::sm
