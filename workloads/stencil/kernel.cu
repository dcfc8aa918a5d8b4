#include "kernel.h"

using namespace stencil_tile;

// One time step of heat flow in a solid: a cell's new temperature from its own and its six
// neighbours'. A thread goes along z through all of the solid at its x and y, and keeps the cells
// below, at and above in registers, so that it loads each of them once. The solid's surface stays
// as warm as it is, and threads on it have nothing to do.
extern "C" __global__ void stencil(const float* before, float* after, int nx, int ny, int nz,
                                   float own_weight, float side_weight) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    const int plane = nx * ny;
    const int first = plane + y * nx + x;
    const float* cell = before + first;
    const float* const end = cell + (nz - 2) * plane;
    float* result = after + first;
    float below = cell[-plane];
    float at = cell[0];
    // One pointer to all that is read, and not unrolled: a block of 1024 threads leaves few
    // registers for each.
#pragma unroll 1
    while (cell < end) {
      const float above = cell[plane];
      const float sides = cell[-1] + cell[1] + cell[-nx] + cell[nx] + below + above;
      *result = own_weight * at + side_weight * sides;
      below = at;
      at = above;
      cell += plane;
      result += plane;
    }
  }
}

// The same by tiles of x and y in shared memory. A block goes along z through all of the solid. It
// keeps the plane that it computes in the tile, and each thread the cells below and above in
// registers. Neighbours outside of the tile come from global memory. A thread has two columns of
// cells, half a tile apart.
extern "C" __global__ void stencil_tiled(const float* before, float* after, int nx, int ny, int nz,
                                         float own_weight, float side_weight) {
  __shared__ float tile[kTileRows][kTileColumns];

  const int row = threadIdx.y;
  const int y = blockIdx.y * kTileRows + row;
  const int first_x = blockIdx.x * kTileColumns;
  const int plane = nx * ny;
  int cell = y * nx + first_x + threadIdx.x;  // Of the first column.

  bool exists[kColumnsEach], changes[kColumnsEach];
  float below[kColumnsEach], above[kColumnsEach];
#pragma unroll
  for (int i = 0; i < kColumnsEach; ++i) {
    const int column = threadIdx.x + i * kTileThreads;
    const int x = first_x + column;
    exists[i] = x < nx && y < ny;
    changes[i] = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    const float* const own = before + cell + i * kTileThreads;
    below[i] = exists[i] ? own[0] : 0.0f;
    tile[row][column] = exists[i] ? own[plane] : 0.0f;
  }
  cell += plane;
  __syncthreads();

#pragma unroll 1
  for (int z = 1; z < nz - 1; ++z) {
#pragma unroll
    for (int i = 0; i < kColumnsEach; ++i) {
      const int column = threadIdx.x + i * kTileThreads;
      const float* const own = before + cell + i * kTileThreads;
      const float* const at = &tile[row][column];
      above[i] = exists[i] ? own[plane] : 0.0f;
      if (changes[i]) {
        const float left = column > 0 ? at[-1] : own[-1];
        const float right = column < kTileColumns - 1 ? at[1] : own[1];
        const float front = row > 0 ? at[-kTileColumns] : own[-nx];
        const float back = row < kTileRows - 1 ? at[kTileColumns] : own[nx];
        const float sides = left + right + front + back + below[i] + above[i];
        after[cell + i * kTileThreads] = own_weight * at[0] + side_weight * sides;
      }
    }
    __syncthreads();  // The plane is done with.
#pragma unroll
    for (int i = 0; i < kColumnsEach; ++i) {
      float* const at = &tile[row][threadIdx.x + i * kTileThreads];
      below[i] = *at;
      *at = above[i];
    }
    cell += plane;
    __syncthreads();
  }
}
