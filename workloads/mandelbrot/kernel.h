#pragma once

// What the kernels and the host part agree on.

namespace mandelbrot {

/// Pixels a side of a tile, which a block draws one thread a pixel.
constexpr int kTile = 16;
/// Neighbours whose levels differ by no more than this, over the channels together, are alike.
constexpr int kAlike = 12;

/// What is seen of the plane, and how closely it is looked at.
struct View {
  float left, top;  ///< Of the first pixel's corner.
  float step;       ///< From a pixel to the next.
  int width, height;
  int most_iterations;
};

/// How fast the channels' levels grow with the iterations.
struct Colours {
  unsigned int red, green, blue;
};

/// Where in its pixel, from 0 to 1, a point lies that stands for it.
struct Place {
  float across, down;
};

}  // namespace mandelbrot
