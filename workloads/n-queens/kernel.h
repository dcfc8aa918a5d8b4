#pragma once

// What host and kernel agree on.

namespace n_queens {

constexpr int kThreads = 96;
/// Rows that a thread can fill: as many as its stack in shared memory has room for.
constexpr int kMostRows = 10;

/// A board whose first rows are filled. Bit i is column i of the first row that is not: where
/// queens above threaten it straight down, down to the left and down to the right. An array of
/// each, so that neighbouring threads read neighbouring words.
struct Boards {
  const unsigned int* down;
  const unsigned int* leftwards;
  const unsigned int* rightwards;
  int count;
  int counted_twice;  ///< The first so many stand for their mirror images as well.
};

}  // namespace n_queens
