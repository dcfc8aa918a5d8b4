#pragma once

// One iteration of the diffusion, computed in double precision.

#include <cstddef>
#include <vector>

#include "workload/check_result.h"

namespace heddle::workload {

struct SpeckledImage {
  std::size_t width = 0, height = 0;
  const std::vector<float>& pixels;
};

/// The image after one iteration. `speckle` is the squared coefficient of variation of the speckle.
std::vector<double> diffused(const SpeckledImage& image, double time_step, double speckle);

/// The bound of the device's deviation in one iteration, if all pixels are from 1 to e.
Bound diffusion_bound();

}  // namespace heddle::workload
