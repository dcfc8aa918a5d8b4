#pragma once

// What host and kernels agree on.

namespace dwt2d {

constexpr int kSplitBlock = 256;
constexpr int kChannels = 3;

/// A block goes down this many columns of the image, one per thread, in windows of this many rows.
constexpr int kColumns = 64;
constexpr int kRows = 8;

}  // namespace dwt2d
