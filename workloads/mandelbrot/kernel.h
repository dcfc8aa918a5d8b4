#pragma once

// What the kernels and the host part agree on.

namespace mandelbrot {

/// Pixels along a side of a tile. A block draws a tile with one thread per pixel.
constexpr int kTile = 16;
/// Neighbours are alike if their levels differ by at most this, added over the channels.
constexpr int kAlike = 12;

/// The part of the plane that is drawn, and the most iterations for a point.
struct View {
  float left, top;  ///< The corner of the first pixel.
  float step;       ///< From a pixel to the next.
  int width, height;
  int most_iterations;
};

/// By how much an iteration raises the level of each channel.
struct Colours {
  unsigned int red, green, blue;
};

/// The position of a sample in its pixel, from 0 to 1.
struct Place {
  float across, down;
};

}  // namespace mandelbrot
