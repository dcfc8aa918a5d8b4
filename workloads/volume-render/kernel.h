#pragma once

// What the kernels and the host part agree on.

namespace volume_render {

/// Threads a side of a block, one a pixel.
constexpr int kBlock = 16;
/// Slices of the volume that lie side by side in the texture. Around each is a border of one texel,
/// which repeats its edge.
constexpr int kSlicesAcross = 8;
constexpr int kBorder = 1;

/// Rays end where so little of what is behind them would be seen.
constexpr float kOpaque = 0.95f;

struct Point {
  float x, y, z;
};

/// Pixels look from `eye` along `corner + column * right + row * down`, whatever its length.
struct Camera {
  Point eye, corner, right, down;
};

/// How rays go through the box from -1 to 1 that the volume fills.
struct March {
  float step;     ///< From a sample to the next.
  float opacity;  ///< How opaque the most opaque sample is.
  int side;       ///< The volume's, in texels.
};

}  // namespace volume_render
