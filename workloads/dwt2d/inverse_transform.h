#pragma once

// The inverse of the lossless wavelet transform.

#include <cstddef>
#include <vector>

namespace heddle::workload::dwt2d {

/// The image whose transform is `bands`. Each level has four quarters, the low one first. The low
/// quarter contains the four quarters of the next level.
std::vector<int> undo_53(std::vector<int> bands, std::size_t width, std::size_t height, int levels);

}  // namespace heddle::workload::dwt2d
