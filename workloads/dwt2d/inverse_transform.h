#pragma once

// The reversible wavelet transform undone.

#include <cstddef>
#include <vector>

namespace heddle::workload::dwt2d {

/// The image whose bands these are: those of each level in quarters, low ones first, and in the low
/// quarter those of the next level.
std::vector<int> undo_53(std::vector<int> bands, std::size_t width, std::size_t height, int levels);

}  // namespace heddle::workload::dwt2d
