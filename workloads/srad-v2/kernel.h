#pragma once

// What the kernels and the host part agree on.

namespace srad_v2 {

constexpr int kTile = 16;  ///< A block has so many pixels a side, one a thread.

}  // namespace srad_v2
