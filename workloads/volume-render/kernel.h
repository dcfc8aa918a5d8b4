#pragma once

// What the kernels and the host part agree on.

namespace volume_render {

/// Threads along a side of a block, one per pixel.
constexpr int kBlock = 16;
/// Slices of the volume side by side in the texture. Each has a border of one texel, which repeats
/// its edge.
constexpr int kSlicesAcross = 8;
constexpr int kBorder = 1;

/// A ray ends when its opacity exceeds this.
constexpr float kOpaque = 0.95f;

struct Point {
  float x, y, z;
};

/// Pixels look from `eye` along `corner + column * right + row * down`, whatever its length.
struct Camera {
  Point eye, corner, right, down;
};

/// The steps of rays through the volume, which fills the box from -1 to 1.
struct March {
  float step;     ///< From a sample to the next.
  float opacity;  ///< The opacity of the most opaque sample.
  int side;       ///< The side of the volume, in texels.
};

}  // namespace volume_render
