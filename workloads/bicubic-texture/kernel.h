#pragma once

// What the kernels and the host part agree on.

constexpr int kBlock = 16;

/// What of the picture is shown.
struct View {
  float x, y;   ///< What is in the middle, in texels.
  float scale;  ///< Texels to a pixel.
};
