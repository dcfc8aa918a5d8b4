#pragma once

// A summer's day with showers, from which the forecast starts.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload::weather {

/// The variables of a step, in the kernel's layout.
struct Air {
  std::vector<float> warmth, vapour, cloud, rain;
};

/// The fields that do not change.
struct Layers {
  std::vector<float> density, exner, thickness;
};

struct Day {
  Air air;
  Layers layers;
};

/// `width` and `depth` are the numbers of columns along x and y.
Day make_day(int width, int depth, std::uint64_t seed);

}  // namespace heddle::workload::weather
