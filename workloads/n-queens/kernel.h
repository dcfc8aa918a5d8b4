#pragma once

// What host and kernel agree on.

namespace n_queens {

constexpr int kThreads = 96;
/// Rows that a thread can fill at most: as many as fit into its stack in shared memory.
constexpr int kMostRows = 10;

/// Boards whose first rows are filled. Bit i is column i of the first empty row: whether a queen
/// above threatens it straight down, down to the left, or down to the right. There is an array of
/// each, so that neighbouring threads read neighbouring words.
struct Boards {
  const unsigned int* down;
  const unsigned int* leftwards;
  const unsigned int* rightwards;
  int count;
  int counted_twice;  ///< The first ones also stand for their mirror images.
};

}  // namespace n_queens
