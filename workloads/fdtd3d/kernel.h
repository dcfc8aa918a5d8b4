#pragma once

// What the kernels and the host part agree on.

namespace fdtd3d {

/// The neighbours of a cell in each of the six directions.
constexpr int kRadius = 4;
/// The size of a block's tile in x and y.
constexpr int kColumns = 32;
constexpr int kRows = 16;

/// The cells that change. In memory, `kRadius` more cells lie around them on all sides.
struct Extent {
  int nx, ny, nz;
};

}  // namespace fdtd3d
