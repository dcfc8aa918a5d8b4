#pragma once

// Digits as people write them, each a little different.

#include <vector>

#include "workload/random.h"

namespace heddle::workload {

/// A picture of the digit, neural_network::kImageSide pixels a side, from 0 (paper) to 1 (ink).
std::vector<float> draw_digit(int digit, Random& random);

}  // namespace heddle::workload
