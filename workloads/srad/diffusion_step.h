#pragma once

// One iteration of the diffusion, computed in double precision.

#include <cstddef>
#include <vector>

#include "workload/verdict.h"

namespace heddle::workload {

struct SpeckledImage {
  std::size_t width = 0, height = 0;
  const std::vector<float>& pixels;
};

/// `speckle`: the square of speckle's coefficient of variation.
std::vector<double> diffused(const SpeckledImage& image, double time_step, double speckle);

/// How far from that the device may be, where no pixel is below 1 or above e.
Bound diffusion_bound();

}  // namespace heddle::workload
