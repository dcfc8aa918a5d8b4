#include "kernel.h"

// Scores of alignments: a cell needs those to its left, above, and above to the left. Tiles on a
// diagonal from the lower left to the upper right need only those of diagonals before, so every
// diagonal of tiles is a launch; within a tile the block goes over the cells' diagonals likewise.
//
// `score` has a row and a column more than `similarity`, in front, which the host has filled.
__device__ __forceinline__ void fill_tile(int* score, const int* similarity, int columns,
                                          int rows, int penalty, int tile_column, int tile_row) {
  // One row and one column more, as in `score`.
  __shared__ int cells[kTile + 1][kTile + 1];
  __shared__ int gains[kTile][kTile];

  const int lane = threadIdx.x;
  const int left = tile_column * kTile;
  const int top = tile_row * kTile;
  const int pitch = columns + 1;
  const bool has_column = left + lane < columns;

  // The tile's frame: the row above it, the corner, and the column to its left.
  cells[0][lane + 1] = has_column ? score[top * pitch + left + lane + 1] : 0;
  if (lane == 0) cells[0][0] = score[top * pitch + left];
  cells[lane + 1][0] = top + lane < rows ? score[(top + lane + 1) * pitch + left] : 0;
  // What lies beyond the matrix is computed along, from zeros, but never written.
  for (int row = 0; row < kTile; ++row) {
    gains[row][lane] =
        has_column && top + row < rows ? similarity[(top + row) * columns + left + lane] : 0;
  }
  __syncthreads();

  // Thread `lane` goes down column `lane`, each a row behind its left neighbour.
  for (int diagonal = 0; diagonal < 2 * kTile - 1; ++diagonal) {
    const int row = diagonal - lane;
    if (row >= 0 && row < kTile) {
      const int aligned = cells[row][lane] + gains[row][lane];
      const int from_left = cells[row + 1][lane] - penalty;
      const int from_above = cells[row][lane + 1] - penalty;
      cells[row + 1][lane + 1] = max(aligned, max(from_left, from_above));
    }
    __syncthreads();
  }

  if (has_column) {
    for (int row = 0; row < kTile && top + row < rows; ++row) {
      score[(top + row + 1) * pitch + left + lane + 1] = cells[row + 1][lane + 1];
    }
  }
}

// A diagonal that begins at the left edge: tiles (0, diagonal), (1, diagonal - 1), ...
extern "C" __global__ void needle_upper_left(int* score, const int* similarity, int columns,
                                             int rows, int penalty, int diagonal) {
  const int tile_column = blockIdx.x;
  fill_tile(score, similarity, columns, rows, penalty, tile_column, diagonal - tile_column);
}

// A diagonal that begins at the lower edge: tiles (diagonal - last_row, last_row), then one further
// to the right and one higher, ...
extern "C" __global__ void needle_lower_right(int* score, const int* similarity, int columns,
                                              int rows, int penalty, int diagonal, int last_row) {
  const int tile_row = last_row - static_cast<int>(blockIdx.x);
  fill_tile(score, similarity, columns, rows, penalty, diagonal - tile_row, tile_row);
}
