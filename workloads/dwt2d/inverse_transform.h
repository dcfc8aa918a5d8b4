#pragma once

// The inverse of the lossless wavelet transform.

#include <cstddef>
#include <vector>

namespace heddle::workload::dwt2d {

/// The image with these bands. Each level has four quarters, low bands first; the low quarter holds
/// those of the next level.
std::vector<int> undo_53(std::vector<int> bands, std::size_t width, std::size_t height, int levels);

}  // namespace heddle::workload::dwt2d
