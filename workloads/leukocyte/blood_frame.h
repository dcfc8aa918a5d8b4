#pragma once

// A frame of a microscope video: white blood cells along the wall of a small vessel.

#include <cstdint>
#include <vector>

namespace heddle::workload::leukocyte {

struct Place {
  int x, y;
};

struct BloodFrame {
  std::vector<std::uint8_t> levels;  ///< Row by row.
  std::vector<Place> cells;          ///< The middles of the cells.
};

/// No cell is closer to the edge than the kernels' margin.
BloodFrame make_blood_frame(int width, int height, std::uint64_t seed);

}  // namespace heddle::workload::leukocyte
