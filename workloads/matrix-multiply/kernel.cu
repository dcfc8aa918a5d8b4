#include "kernel.h"

// C = A B, by rows: A has `rows` x `depth` elements, B `depth` x `columns`. A block computes a tile
// of C, one element a thread. It brings tiles of A and B into shared memory, pair by pair, so that
// every element loaded is used 16 times.
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int rows,
                                           int columns, int depth) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  float sum = 0.0f;
  for (int begin = 0; begin < depth; begin += kTile) {
    // What lies beyond the matrices adds nothing.
    a_tile[ty][tx] = row < rows && begin + tx < depth ? a[row * depth + begin + tx] : 0.0f;
    b_tile[ty][tx] =
        begin + ty < depth && column < columns ? b[(begin + ty) * columns + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();  // The tiles are done with.
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

// The same on a grid that is resident as a whole: a thread computes one element of C after the
// other, each straight from global memory. Neighbouring threads have neighbouring columns: they
// read the same element of A and neighbouring ones of B.
extern "C" __global__ void matrix_multiply_resident(const float* a, const float* b, float* c,
                                                    int rows, int columns, int depth) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += threads) {
    const float* row_of_a = a + i / columns * depth;
    const float* column_of_b = b + i % columns;
    float sum = 0.0f;
    for (int k = 0; k < depth; ++k) sum += row_of_a[k] * column_of_b[k * columns];
    c[i] = sum;
  }
}
