#pragma once

#include <vector>

#include "sm/warp_lifetime.h"

namespace heddle::gpu {

/// How much of what warps hold is wasted because it is given back when their block ends, not when
/// they do: for a block of N warps the sum over them of (longest - own lifetime), by N times the
/// longest; the mean over all blocks. The ratio of temporal resource underutilisation of Xiang et
/// al., Warp-Level Divergence in GPUs, section 3.2. 0 without warps.
double temporal_underutilisation(const std::vector<sm::WarpLifetime>& warps);

}  // namespace heddle::gpu
