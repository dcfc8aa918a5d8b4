#pragma once

// What the kernels and the host part agree on.

namespace eigenvalues {

/// Threads of the block that has a small matrix to itself: no fewer than there are eigenvalues.
constexpr int kSmallBlock = 512;
/// Threads of the blocks that share a larger one.
constexpr int kBlock = 256;

/// A part of the real line, and how many eigenvalues are below either end.
struct Interval {
  float left, right;
  int below_left, below_right;
};

/// A symmetric matrix that is zero but for its diagonal and the elements beside it: `beside[i]`
/// couples rows i - 1 and i, and the first is zero.
struct Matrix {
  const float* diagonal;
  const float* beside;
  int rows;
};

}  // namespace eigenvalues
