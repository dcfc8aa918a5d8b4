#pragma once

#include <vector>

#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// Packs the threads of a large warp that are on the path into sub-warps. A column consists of the
/// threads with the same lane number. Each column contributes one thread to each sub-warp while it
/// has any, from the first row on. So there are as many sub-warps as threads in the fullest column
/// (Narasiman et al., Large Warps, section 3.1.1 and figure 7).
void pack_sub_warps(std::span<const StaticWarp> rows, std::vector<Pass>& sub_warps);

}  // namespace heddle::sm
