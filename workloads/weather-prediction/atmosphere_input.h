#pragma once

// A summer's day with showers, for the forecast to start from.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload::weather {

/// What changes in a step, in arrays like the kernel's.
struct Air {
  std::vector<float> warmth, vapour, cloud, rain;
};

/// What stays.
struct Layers {
  std::vector<float> density, exner, thickness;
};

struct Day {
  Air air;
  Layers layers;
};

/// So many columns across and along.
Day make_day(int width, int depth, std::uint64_t seed);

}  // namespace heddle::workload::weather
