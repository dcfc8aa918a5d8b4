#pragma once

// What the kernels and the host part agree on.

constexpr int kBlock = 16;

/// The part of the texture that is rendered.
struct View {
  float x, y;   ///< The texel position in the middle of the picture.
  float scale;  ///< Texels per pixel.
};
