#pragma once

#include <vector>

#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// Breaks rows down to sub-warps: in each cycle every column gives its next thread, from the first
/// row on, so that there are as many as the fullest column has threads (Narasiman et al., Large
/// Warps, section 3.1.1 and figure 7).
void pack_sub_warps(std::span<const Row> rows, std::vector<Pass>& sub_warps);

}  // namespace heddle::sm
