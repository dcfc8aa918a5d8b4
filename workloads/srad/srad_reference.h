#pragma once

// The expected result of each step of the diffusion, in double precision.

#include <cstddef>
#include <vector>

#include "workload/check_result.h"

namespace heddle::workload {

/// The device's statistics of one image.
struct SradStatistics {
  float sum = 0;
  float squares = 0;  ///< The sum of the pixels' squares.
  float speckle = 0;  ///< The variance divided by the squared mean.
};

/// The results of a run.
struct SradRun {
  std::size_t width = 0, height = 0;
  double time_step = 0;
  const std::vector<float>& levels;  ///< The input.
  const std::vector<std::vector<float>>&
      frames;  ///< The image before the iterations and after each.
  const std::vector<SradStatistics>& statistics;  ///< For all frames except the last.
  const std::vector<float>& result;
};

/// Checks every step from the device's state before it. A whole run is not checked at once:
/// edge-sharpening diffusion amplifies roundings, so no useful bound would hold at its end.
void check_srad(const SradRun& run, CheckResult& check);

}  // namespace heddle::workload
