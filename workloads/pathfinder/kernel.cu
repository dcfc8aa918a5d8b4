#include "kernel.h"

// Advances the cheapest paths' costs by `steps` rows of weights. A block holds the costs of a span
// of columns and needs no other block's results: with every row the columns whose costs are still
// known shrink by one at both ends, so the spans of neighbouring blocks overlap by 2 `steps`.
extern "C" __global__ void pathfinder(const int* weights, const int* before, int* after,
                                      int columns, int steps) {
  __shared__ int costs[kSpan];
  __shared__ int next[kSpan];

  const int lane = threadIdx.x;
  const int column = static_cast<int>(blockIdx.x) * (kSpan - 2 * steps) - steps + lane;
  const bool in_grid = column >= 0 && column < columns;
  if (in_grid) costs[lane] = before[column];
  __syncthreads();

  // Paths don't leave the grid: at its sides there are but two ways to come.
  const int left = column > 0 ? lane - 1 : lane;
  const int right = column < columns - 1 ? lane + 1 : lane;

  bool known = in_grid;
  for (int row = 0; row < steps; ++row) {
    known = in_grid && lane > row && lane < kSpan - 1 - row;
    if (known) {
      const int cheapest = min(costs[lane], min(costs[left], costs[right]));
      next[lane] = cheapest + weights[row * columns + column];
    }
    __syncthreads();  // All have read `costs`.
    if (row == steps - 1) break;
    if (known) costs[lane] = next[lane];
    __syncthreads();
  }
  if (known) after[column] = next[lane];
}
