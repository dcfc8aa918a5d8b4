#pragma once

// What the kernels and the host part agree on.

/// Threads of a block that filters columns.
constexpr int kBlock = 64;
/// Threads along a side of a block that transposes.
constexpr int kTile = 16;

/// Deriche's filter of the second order. Down a column a result is
/// in[0] * this_one + in[-1] * before - out[-1] * feedback - out[-2] * second_feedback,
/// and up it is in[1] * after + in[2] * second_after, with the same feedback. The result is the sum
/// of the two.
struct RecursiveFilter {
  float this_one, before;
  float after, second_after;
  float feedback, second_feedback;
  float settled_down, settled_up;  ///< The results of both ways if all pixels are 1.
};
