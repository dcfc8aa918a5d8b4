#pragma once

// The motion in double precision on the host, with error bounds for single precision.

#include <array>
#include <vector>

#include "kernel.h"

namespace heddle::workload {

using Vector = std::array<double, 3>;

/// A body, and the bounds of the GPU's deviation in each coordinate.
struct BoundedBody {
  Vector position{};
  Vector velocity{};
  double mass = 0;
  double position_error = 0;
  double velocity_error = 0;
};

/// All bodies after a time step.
std::vector<BoundedBody> step_on_host(const std::vector<BoundedBody>& bodies,
                                      const n_body::Step& step);

}  // namespace heddle::workload
