#pragma once

// DXT1 as its definition has it, and the best that a tile can become.

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel.h"

namespace heddle::workload::dxtc {

/// Red, green and blue in levels of 255.
using Levels = std::array<int, 3>;
using Tile = std::array<Levels, kPixels>;

/// A tile as eight bytes: two colours of 5:6:5 bits, then two bits a pixel.
struct Block {
  std::uint32_t ends = 0;
  std::uint32_t indices = 0;
};

/// Decoded, but not yet mixed: pixel i is ((3 - cluster[i]) a + cluster[i] b) / 3.
struct Fit {
  Levels a{}, b{};
  std::array<int, kPixels> cluster{};
};

/// Whether it is one of four colours as this compressor writes them: the first colour greater, or
/// both the same and all pixels of it.
bool well_formed(const Block& block);
Fit decode(const Block& block);
Levels colour_of(const Fit& fit, std::size_t pixel);

double squared_error(const Fit& fit, const Tile& tile);
/// The sum of the absolute values of what an expanded squared error adds up.
double magnitude(const Fit& fit, const Tile& tile);

/// Least squared error over all partitions. It is a range where an endpoint falls so near to the
/// middle between two codes that floats may take either.
struct Optimum {
  double low = 0;
  double high = 0;
  Fit fit;
};
Optimum best_fit(const Tile& tile);

}  // namespace heddle::workload::dxtc
