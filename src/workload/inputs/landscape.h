#pragma once

// A synthetic photograph: the input of workloads that process pictures.

#include <cstdint>
#include <vector>

#include "base/picture.h"

namespace heddle::workload {

/// Draws mountains behind a lake in the evening, a wood on its shore, and a house on a meadow. The
/// seed moves the ridges, the sun, the clouds and the trees. The minimum size is 16 x 16. The
/// picture is the same on every host, because no function is used whose results differ.
Picture landscape(int width, int height, std::uint64_t seed);

/// The luminance of every pixel (ITU-R BT.601), from 0 to 1.
std::vector<float> luminance(const Picture& picture);

}  // namespace heddle::workload
