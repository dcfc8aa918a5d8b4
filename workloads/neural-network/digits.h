#pragma once

// Handwritten digits with variation.

#include <vector>

#include "workload/random.h"

namespace heddle::workload {

/// A picture of the digit with neural_network::kImageSide pixels per side, from 0 (paper) to 1
/// (ink).
std::vector<float> draw_digit(int digit, Random& random);

}  // namespace heddle::workload
