#pragma once

// What the kernels and the host part agree on.

namespace srad_v2 {

constexpr int kTile = 16;  ///< Pixels along a side of a block, one per thread.

}  // namespace srad_v2
