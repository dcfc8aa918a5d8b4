// LU decomposition in place, without pivots, tile by tile: a step makes the factors of a tile on
// the diagonal, then of the tiles to its right and below it, and takes their products off what
// remains. L has ones on its diagonal, which are not stored.
//
// `side` is that of the matrix, a multiple of kTile; `first` is the first row and column that
// remain.

#include "kernel.h"

// One block of 16 threads: thread i has row i while columns are made, and column i while rows are.
extern "C" __global__ void lud_diagonal(float* matrix, int side, int first) {
  __shared__ float tile[kTile][kTile];

  const int lane = threadIdx.x;
  float* const corner = matrix + first * side + first;

  for (int row = 0; row < kTile; ++row) tile[row][lane] = corner[row * side + lane];
  __syncthreads();
  for (int pivot = 0; pivot < kTile - 1; ++pivot) {
    // The column of L below the pivot.
    if (lane > pivot) {
      for (int k = 0; k < pivot; ++k) tile[lane][pivot] -= tile[lane][k] * tile[k][pivot];
      tile[lane][pivot] /= tile[pivot][pivot];
    }
    __syncthreads();
    // The row of U below the pivot's.
    if (lane > pivot) {
      for (int k = 0; k <= pivot; ++k) tile[pivot + 1][lane] -= tile[pivot + 1][k] * tile[k][lane];
    }
    __syncthreads();
  }
  // Row 0 of U is that of the matrix.
  for (int row = 1; row < kTile; ++row) corner[row * side + lane] = tile[row][lane];
}

// A block does one tile to the right of the diagonal's and the one that mirrors it below: of 32
// threads half solve L U' = A for a column each, half L' U = A for a row each.
extern "C" __global__ void lud_perimeter(float* matrix, int side, int first) {
  __shared__ float diagonal[kTile][kTile];
  __shared__ float right[kTile][kTile];
  __shared__ float below[kTile][kTile];

  const int lane = threadIdx.x % kTile;
  const bool solves_column = threadIdx.x < kTile;
  const int away = (blockIdx.x + 1) * kTile;
  float* const corner = matrix + first * side + first;
  float* const right_corner = corner + away;
  float* const below_corner = corner + away * side;

  if (solves_column) {
    for (int row = 0; row < kTile / 2; ++row) diagonal[row][lane] = corner[row * side + lane];
    for (int row = 0; row < kTile; ++row) right[row][lane] = right_corner[row * side + lane];
  } else {
    for (int row = kTile / 2; row < kTile; ++row) diagonal[row][lane] = corner[row * side + lane];
    for (int row = 0; row < kTile; ++row) below[row][lane] = below_corner[row * side + lane];
  }
  __syncthreads();

  if (solves_column) {
    for (int row = 1; row < kTile; ++row) {
      for (int k = 0; k < row; ++k) right[row][lane] -= diagonal[row][k] * right[k][lane];
    }
  } else {
    for (int column = 0; column < kTile; ++column) {
      for (int k = 0; k < column; ++k) below[lane][column] -= below[lane][k] * diagonal[k][column];
      below[lane][column] /= diagonal[column][column];
    }
  }
  __syncthreads();

  if (solves_column) {
    for (int row = 1; row < kTile; ++row) right_corner[row * side + lane] = right[row][lane];
  } else {
    for (int row = 0; row < kTile; ++row) below_corner[row * side + lane] = below[row][lane];
  }
}

// One thread an element of what remains: less the row of L to its left times the column of U above.
extern "C" __global__ void lud_internal(float* matrix, int side, int first) {
  __shared__ float left[kTile][kTile];
  __shared__ float above[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = first + (blockIdx.y + 1) * kTile + ty;
  const int column = first + (blockIdx.x + 1) * kTile + tx;

  left[ty][tx] = matrix[row * side + first + tx];
  above[ty][tx] = matrix[(first + ty) * side + column];
  __syncthreads();

  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum += left[ty][k] * above[k][tx];
  matrix[row * side + column] -= sum;
}
