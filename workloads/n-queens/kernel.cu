// Counts the ways to put queens on the rest of each board: one thread a board, by backtracking.

#include "kernel.h"

using namespace n_queens;

extern "C" __global__ void complete_boards(Boards boards, unsigned int all_columns, int rows,
                                           unsigned int* solutions) {
  // A stack for each thread, a row of the board a level. Threads of a warp at the same level, and
  // even at different ones, are in different banks.
  __shared__ unsigned int down[kMostRows][kThreads];
  __shared__ unsigned int leftwards[kMostRows][kThreads];
  __shared__ unsigned int rightwards[kMostRows][kThreads];
  __shared__ unsigned int untried[kMostRows][kThreads];

  const int thread = threadIdx.x;
  const int board = blockIdx.x * kThreads + thread;
  unsigned int found = 0;

  if (board < boards.count) {
    down[0][thread] = boards.down[board];
    leftwards[0][thread] = boards.leftwards[board];
    rightwards[0][thread] = boards.rightwards[board];
    untried[0][thread] =
        all_columns & ~(down[0][thread] | leftwards[0][thread] | rightwards[0][thread]);

    int row = 0;
    while (row >= 0) {
      const unsigned int squares = untried[row][thread];
      if (squares == 0) {
        --row;
        continue;
      }
      const unsigned int queen = squares & -squares;
      untried[row][thread] = squares ^ queen;
      if (row + 1 == rows) {
        // The last row has at most one square that no queen threatens.
        ++found;
        --row;
        continue;
      }
      const unsigned int next_down = down[row][thread] | queen;
      const unsigned int next_leftwards = (leftwards[row][thread] | queen) << 1;
      const unsigned int next_rightwards = (rightwards[row][thread] | queen) >> 1;
      ++row;
      down[row][thread] = next_down;
      leftwards[row][thread] = next_leftwards;
      rightwards[row][thread] = next_rightwards;
      untried[row][thread] = all_columns & ~(next_down | next_leftwards | next_rightwards);
    }
    if (board < boards.counted_twice) found *= 2;
  }

  // The block's sum, in what was the stacks' first level: it is as wide as the block.
  unsigned int* const sums = down[0];
  sums[thread] = found;
  for (int width = kThreads; width > 1;) {
    const int half = (width + 1) / 2;
    __syncthreads();
    if (thread < width - half) sums[thread] += sums[thread + half];
    width = half;
  }
  if (thread == 0) solutions[blockIdx.x] = sums[0];
}
