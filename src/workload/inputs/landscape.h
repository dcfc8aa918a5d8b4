#pragma once

// A synthetic photograph, for workloads that work on pictures.

#include <cstdint>
#include <vector>

#include "base/picture.h"

namespace heddle::workload {

/// Mountains behind a lake in the evening, a wood on its shore, and a house on the meadow before
/// it. The seed moves the ridges, the sun, the clouds and the trees. From 16 x 16 up. Computed with
/// no function whose last bit differs from host to host.
Picture landscape(int width, int height, std::uint64_t seed);

/// How bright every pixel is (ITU-R BT.601), from 0 to 1.
std::vector<float> luminance(const Picture& picture);

}  // namespace heddle::workload
