#pragma once

// What the kernels and the host part agree on.

namespace fdtd3d {

/// How many neighbours a cell has in each of the six directions.
constexpr int kRadius = 4;
/// A block's tile of x and y.
constexpr int kColumns = 32;
constexpr int kRows = 16;

/// The cells that change. In memory `kRadius` more lie around them on all sides.
struct Extent {
  int nx, ny, nz;
};

}  // namespace fdtd3d
