#pragma once

#include <vector>

#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// Packs the threads of a large warp that are at its next instruction into sub-warps: sets of
/// threads in different lanes, each of which goes through a unit as one pass. `rows` are the static
/// warps of the large warp. The threads in the same lane of all rows are a column. A column gives
/// one thread to each sub-warp, in the order of the rows, until it has no more. There are thus as
/// many sub-warps as threads in the longest column (Narasiman et al., Large Warps, section 3.1.1
/// and figure 7).
void pack_sub_warps(std::span<const StaticWarp> rows, std::vector<Pass>& sub_warps);

}  // namespace heddle::sm
