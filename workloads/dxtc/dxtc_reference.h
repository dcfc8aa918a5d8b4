#pragma once

// A decoder for DXT1, and the best possible encoding of a tile.

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel.h"

namespace heddle::workload::dxtc {

/// Red, green and blue, from 0 to 255.
using Levels = std::array<int, 3>;
using Tile = std::array<Levels, kPixels>;

/// A compressed tile of eight bytes: two end colours of 5:6:5 bits, then two bits per pixel.
struct Block {
  std::uint32_t ends = 0;
  std::uint32_t indices = 0;
};

/// A decoded block: the end colours a and b, and how pixels mix them. Pixel i has 3 - cluster[i]
/// thirds of a, and cluster[i] thirds of b.
struct Fit {
  Levels a{}, b{};
  std::array<int, kPixels> cluster{};
};

/// Whether the block has the form that this compressor writes: the first colour is greater, or both
/// are equal and all pixels use it.
bool is_well_formed(const Block& block);
Fit decode(const Block& block);
Levels colour_of(const Fit& fit, std::size_t pixel);

double squared_error(const Fit& fit, const Tile& tile);
/// The sum of the magnitudes of the terms in an expanded squared error.
double magnitude(const Fit& fit, const Tile& tile);

/// The least squared error over all partitions. It is a range if an end colour is so near to the
/// middle between two codes that floats may take either.
struct Optimum {
  double low = 0;
  double high = 0;
  Fit fit;
};
Optimum best_fit(const Tile& tile);

}  // namespace heddle::workload::dxtc
