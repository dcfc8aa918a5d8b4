#pragma once

// A synthetic ultrasound image.

#include <cstdint>
#include <vector>

namespace heddle::workload {

/// Integer grey levels from 0 to 255, rows from the top: tissue in layers, cysts, a vessel along
/// and one across, a stone with its shadow; all with the speckle of scattered sound. It uses no
/// function whose last bit differs from host to host.
std::vector<float> ultrasound_phantom(int width, int height, std::uint64_t seed);

}  // namespace heddle::workload
