#pragma once

// The same motion on the host, in double precision, with what single precision may be off by.

#include <array>
#include <vector>

#include "kernel.h"

namespace heddle::workload {

using Vector = std::array<double, 3>;

/// A body, and how far from it the GPU's may be in each coordinate.
struct BoundedBody {
  Vector position{};
  Vector velocity{};
  double mass = 0;
  double position_error = 0;
  double velocity_error = 0;
};

/// All bodies a time step later.
std::vector<BoundedBody> step_on_host(const std::vector<BoundedBody>& bodies,
                                      const n_body::Step& step);

}  // namespace heddle::workload
