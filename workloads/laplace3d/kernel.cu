// One sweep of Jacobi's method for Laplace's equation in a box: every cell becomes the mean of its
// six neighbours, but those on the surface stay as they are. A block has a tile of x and y and goes
// through all of z, with three planes of the tile and the cells around it in shared memory.

#include "kernel.h"

typedef float Plane[kRows + 2][kColumns + 2];

// A cell around the tile, other than its corners, for each of the first threads: first the rows in
// front and behind, which are read in whole segments, then the columns at either side.
struct HaloCell {
  int row;
  int column;
};

constexpr int kHaloCells = 2 * kColumns + 2 * kRows;

__device__ HaloCell halo_cell_of(int thread) {
  if (thread < 2 * kColumns) {
    return {thread < kColumns ? 0 : kRows + 1, 1 + thread % kColumns};
  }
  const int side = thread - 2 * kColumns;
  return {1 + side / 2, side % 2 == 0 ? 0 : kColumns + 1};
}

extern "C" __global__ void laplace_sweep(const float* before, float* after, int nx, int ny,
                                         int nz) {
  __shared__ Plane planes[3];

  const int row = threadIdx.y + 1;
  const int column = threadIdx.x + 1;
  const int x = blockIdx.x * kColumns + threadIdx.x;
  const int y = blockIdx.y * kRows + threadIdx.y;
  const bool in_box = x < nx && y < ny;
  const bool at_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int cell = y * nx + x;

  const int thread = threadIdx.y * kColumns + threadIdx.x;
  const HaloCell halo = halo_cell_of(thread);
  const int halo_x = blockIdx.x * kColumns + halo.column - 1;
  const int halo_y = blockIdx.y * kRows + halo.row - 1;
  const bool has_halo =
      thread < kHaloCells && halo_x >= 0 && halo_y >= 0 && halo_x < nx && halo_y < ny;
  int halo_cell = halo_y * nx + halo_x;

  const int plane = nx * ny;
  float(*below)[kColumns + 2] = planes[0];
  float(*at)[kColumns + 2] = planes[1];
  float(*above)[kColumns + 2] = planes[2];
  if (in_box) above[row][column] = before[cell];
  if (has_halo) above[halo.row][halo.column] = before[halo_cell];

#pragma unroll 1
  for (int z = 0; z < nz; ++z) {
    float(*const done)[kColumns + 2] = below;
    below = at;
    at = above;
    above = done;
    if (z + 1 < nz) {
      if (in_box) above[row][column] = before[cell + plane];
      if (has_halo) above[halo.row][halo.column] = before[halo_cell + plane];
    }
    __syncthreads();
    if (in_box) {
      if (at_side || z == 0 || z == nz - 1) {
        after[cell] = at[row][column];
      } else {
        after[cell] = (at[row][column - 1] + at[row][column + 1] + at[row - 1][column] +
                       at[row + 1][column] + below[row][column] + above[row][column]) *
                      (1.0f / 6.0f);
      }
    }
    __syncthreads();  // The plane below is done with.
    cell += plane;
    halo_cell += plane;
  }
}
