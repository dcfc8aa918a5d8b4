#pragma once

// What the kernels and the host part agree on.

namespace eigenvalues {

/// Threads of the one block for a small matrix: at least as many as eigenvalues.
constexpr int kSmallBlock = 512;
/// Threads of the blocks that share a larger matrix.
constexpr int kBlock = 256;

/// An interval, and the numbers of eigenvalues below its two ends.
struct Interval {
  float left, right;
  int below_left, below_right;
};

/// A symmetric tridiagonal matrix. `beside[i]` couples rows i - 1 and i; beside[0] is zero.
struct Matrix {
  const float* diagonal;
  const float* beside;
  int rows;
};

}  // namespace eigenvalues
