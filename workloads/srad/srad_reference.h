#pragma once

// What each step of the diffusion must give, computed in double precision.

#include <cstddef>
#include <vector>

#include "workload/verdict.h"

namespace heddle::workload {

/// Of one image, as the device has them.
struct SradStatistics {
  float sum = 0;
  float squares = 0;  ///< The sum of the pixels' squares.
  float speckle = 0;  ///< The variance by the mean's square.
};

/// What a run gave.
struct SradRun {
  std::size_t width = 0, height = 0;
  double time_step = 0;
  const std::vector<float>& levels;  ///< The input.
  const std::vector<std::vector<float>>&
      frames;  ///< The image before the iterations and after each.
  const std::vector<SradStatistics>& statistics;  ///< Of all frames but the last.
  const std::vector<float>& result;
};

/// Follows every step from what the device had before it. A whole run is not followed: diffusion
/// that sharpens edges makes more of every rounding, so that no useful bound would hold at its end.
void check_srad(const SradRun& run, Verdict& verdict);

}  // namespace heddle::workload
