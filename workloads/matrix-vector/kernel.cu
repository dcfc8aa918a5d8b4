// y = A x for a dense matrix of floats in row-major order.

#include "kernel.h"

// A block does 32 rows of one slice of the columns; blockIdx.y is the slice, of `slice_columns`, a
// multiple of kTile. Each warp has four rows, so that what it reads of x from shared memory serves
// four products, and reads A in whole lines. partial[slice][row] gets the sum.
extern "C" __global__ void matrix_vector(const float* a, const float* x, float* partial, int rows,
                                         int columns, int slice_columns) {
  __shared__ float x_tile[kTile];
  // One more a row, so that the lanes that add up rows read from different banks.
  __shared__ float sums[kRowsPerBlock][33];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.x * kRowsPerBlock + warp * kRowsPerWarp;
  const float* row[kRowsPerWarp];
  float sum[kRowsPerWarp];
#pragma unroll
  for (int r = 0; r < kRowsPerWarp; ++r) {
    // Behind the last row that one is done again, and not stored.
    row[r] = a + static_cast<size_t>(min(first_row + r, rows - 1)) * columns;
    sum[r] = 0;
  }

  const int begin = blockIdx.y * slice_columns;
  const int end = min(begin + slice_columns, columns);
  for (int tile = begin; tile < end; tile += kTile) {
    const int own = tile + threadIdx.x;
    if (own < end) x_tile[threadIdx.x] = x[own];
    __syncthreads();
    if (tile + kTile <= end) {
#pragma unroll
      for (int i = 0; i < kTile; i += 32) {
        const float factor = x_tile[i + lane];
#pragma unroll
        for (int r = 0; r < kRowsPerWarp; ++r) sum[r] += row[r][tile + i + lane] * factor;
      }
    } else {
      for (int i = lane; tile + i < end; i += 32) {
        const float factor = x_tile[i];
#pragma unroll
        for (int r = 0; r < kRowsPerWarp; ++r) sum[r] += row[r][tile + i] * factor;
      }
    }
    // All have used this tile before it is overwritten.
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < kRowsPerWarp; ++r) sums[warp * kRowsPerWarp + r][lane] = sum[r];
  __syncthreads();
  // Eight threads a row now, which add four sums each, and then each other's.
  const int summed = threadIdx.x / 8;
  const int part = threadIdx.x % 8;
  float* of_row = sums[summed];
  of_row[part] = (of_row[part] + of_row[part + 8]) + (of_row[part + 16] + of_row[part + 24]);
  for (int half = 4; half > 0; half /= 2) {
    __syncthreads();
    if (part < half) of_row[part] += of_row[part + half];
  }
  const int result = blockIdx.x * kRowsPerBlock + summed;
  if (part == 0 && result < rows) {
    partial[static_cast<size_t>(blockIdx.y) * rows + result] = of_row[0];
  }
}

// y[row] = the sum of the slices' parts of it.
extern "C" __global__ void add_slices(const float* partial, float* y, int rows, int slices) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int slice = 0; slice < slices; ++slice) {
    sum += partial[static_cast<size_t>(slice) * rows + row];
  }
  y[row] = sum;
}

// y = A x in a single kernel: each warp computes a row.
extern "C" __global__ void matrix_vector_rows(const float* a, const float* x, float* y, int rows,
                                              int columns) {
  __shared__ float x_tile[kTile];
  __shared__ float sums[kWarps][32];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.x * kWarps + warp;
  // Behind the last row that one is done again, and not stored.
  const float* const own_row = a + static_cast<size_t>(min(row, rows - 1)) * columns;
  float sum = 0;
  for (int tile = 0; tile < columns; tile += kTile) {
    const int own = tile + threadIdx.x;
    if (own < columns) x_tile[threadIdx.x] = x[own];
    __syncthreads();
    const int end = min(kTile, columns - tile);
    // Unrolled, the loop would take so many registers that fewer warps fit.
#pragma unroll 1
    for (int i = lane; i < end; i += 32) sum += own_row[tile + i] * x_tile[i];
    // All have used this tile before it is overwritten.
    __syncthreads();
  }

  sums[warp][lane] = sum;
  for (int half = 16; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) sums[warp][lane] += sums[warp][lane + half];
  }
  if (lane == 0 && row < rows) y[row] = sums[warp][0];
}
