#pragma once

// A film of a bright disc that moves.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::particlefilter {

/// A position in a frame, in pixels.
struct Place {
  double x = 0, y = 0;
};

struct Film {
  int width = 0, height = 0;
  std::vector<std::vector<std::uint8_t>> frames;
  std::vector<Place> object;  ///< The middle of the disc in each frame.
};

Film make_film(int side, int frames, Random& random);

}  // namespace heddle::workload::particlefilter
