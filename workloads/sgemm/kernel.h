#pragma once

// What host and kernel agree on.

namespace sgemm {

/// The columns and rows of C that a block computes, and the terms of each sum that it adds at a
/// time. A block has a thread for each row of C, which is also one for each element of a tile of B.
constexpr int kColumns = 16;
constexpr int kDepth = 8;
constexpr int kRows = kColumns * kDepth;

}  // namespace sgemm
