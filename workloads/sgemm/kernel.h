#pragma once

// What host and kernel agree on.

namespace sgemm {

/// What a block computes of C, and how far it goes along the sums at a time. A block has a thread
/// for each row, and each element of a tile of B.
constexpr int kColumns = 16;
constexpr int kDepth = 8;
constexpr int kRows = kColumns * kDepth;

}  // namespace sgemm
