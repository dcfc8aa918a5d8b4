#pragma once

// A film of a bright disc that moves.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::particlefilter {

struct Place {
  double x = 0, y = 0;
};

struct Film {
  int width = 0, height = 0;
  std::vector<std::vector<std::uint8_t>> frames;
  std::vector<Place> object;  ///< In each frame.
};

Film make_film(int side, int frames, Random& random);

}  // namespace heddle::workload::particlefilter
