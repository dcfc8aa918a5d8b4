#pragma once

// What the workloads of this folder share: the weights of a time step, and the host's steps.

#include <cstddef>
#include <vector>

#include "workload/check_result.h"

namespace heddle::workload::stencil_host {

// The weights of a neighbour and of the cell itself in a time step. Floats represent both exactly.
constexpr double kNeighbourWeight = 0.09375;
constexpr double kOwnWeight = 1 - 6 * kNeighbourWeight;

struct Extent {
  std::size_t nx, ny, nz;
  int steps;

  std::size_t cells() const { return nx * ny * nz; }
};

/// Compares the temperatures after all steps with those that the host computes from `start`.
CheckResult check_heat(const Extent& extent, const std::vector<float>& start,
                       const std::vector<float>& result);

}  // namespace heddle::workload::stencil_host
