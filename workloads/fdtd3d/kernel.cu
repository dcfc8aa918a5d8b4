// A time step of finite differences of the eighth order in three dimensions: a cell becomes a
// weighted sum of itself and its four next neighbours in each of the six directions. A block goes
// through all of z with a tile of x and y: the tile and the cells around it are in shared memory,
// what lies before and behind a cell in its thread's registers (Micikevicius: 3D Finite Difference
// Computation on GPUs using CUDA, 2009).

#include "kernel.h"

using fdtd3d::Extent;
using fdtd3d::kColumns;
using fdtd3d::kRadius;
using fdtd3d::kRows;

// Of the cell itself, and of neighbours by their distance.
__constant__ float weights[kRadius + 1];

typedef float Tile[kRows + 2 * kRadius][kColumns + 2 * kRadius];

// Fills the tile but for the threads' own cells: the first rows of threads load what lies above and
// below, the first columns what lies left and right. `cell` is the thread's own.
__device__ void load_surroundings(Tile& tile, const float* cell, int row_stride, int x, int y,
                                  Extent extent) {
  const int column = threadIdx.x + kRadius;
  const int row = threadIdx.y + kRadius;
  if (threadIdx.y < kRadius && x < extent.nx) {
    tile[row - kRadius][column] = cell[-kRadius * row_stride];
    if (y + kRows < extent.ny + kRadius) tile[row + kRows][column] = cell[kRows * row_stride];
  }
  if (threadIdx.x < kRadius && y < extent.ny) {
    tile[row][column - kRadius] = cell[-kRadius];
    if (x + kColumns < extent.nx + kRadius) tile[row][column + kColumns] = cell[kColumns];
  }
}

extern "C" __global__ void fdtd_step(const float* before, float* after, Extent extent) {
  __shared__ Tile tile;

  const int x = blockIdx.x * kColumns + threadIdx.x;
  const int y = blockIdx.y * kRows + threadIdx.y;
  const bool changes = x < extent.nx && y < extent.ny;
  // In the last tiles what lies around the cells that change is threads' own.
  const bool exists = x < extent.nx + kRadius && y < extent.ny + kRadius;
  const int row_stride = extent.nx + 2 * kRadius;
  const int plane = row_stride * (extent.ny + 2 * kRadius);
  int cell = kRadius * plane + (y + kRadius) * row_stride + x + kRadius;

  float behind[kRadius];
  float own = 0.0f;
  float ahead[kRadius];
#pragma unroll
  for (int i = 0; i < kRadius; ++i) {
    behind[i] = exists ? before[cell - (i + 1) * plane] : 0.0f;
    ahead[i] = exists ? before[cell + (i + 1) * plane] : 0.0f;
  }
  if (exists) own = before[cell];

#pragma unroll 1
  for (int z = 0; z < extent.nz; ++z) {
    tile[threadIdx.y + kRadius][threadIdx.x + kRadius] = own;
    load_surroundings(tile, before + cell, row_stride, x, y, extent);
    __syncthreads();
    if (changes) {
      float sum = weights[0] * own;
#pragma unroll
      for (int i = 1; i <= kRadius; ++i) {
        const float* const middle = &tile[threadIdx.y + kRadius][threadIdx.x + kRadius];
        const int row = kColumns + 2 * kRadius;
        sum += weights[i] * (behind[i - 1] + ahead[i - 1] + middle[-i] + middle[i] +
                             middle[-i * row] + middle[i * row]);
      }
      after[cell] = sum;
    }
    __syncthreads();  // The tile is done with.

#pragma unroll
    for (int i = kRadius - 1; i > 0; --i) behind[i] = behind[i - 1];
    behind[0] = own;
    own = ahead[0];
#pragma unroll
    for (int i = 1; i < kRadius; ++i) ahead[i - 1] = ahead[i];
    cell += plane;
    if (exists && z + 1 < extent.nz) ahead[kRadius - 1] = before[cell + kRadius * plane];
  }
}
