#include "kernel.h"

using namespace sgemm;

// C = alpha A B' + beta C, where all three are stored column by column, with so many elements from
// one column to the next. A thread computes a row of the block's part of C, in registers: it reads
// each element of A once, beside its neighbours' in global memory, and multiplies it with elements
// of B that the whole block reads from shared memory at the same time (Volkov and Demmel,
// Benchmarking GPUs to Tune Dense Linear Algebra, 2008).
extern "C" __global__ void sgemm_nt(const float* a, int a_pitch, const float* b, int b_pitch,
                                    float* c, int c_pitch, int depth, float alpha, float beta) {
  __shared__ float b_tile[kDepth][kColumns];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.x * kRows + ty * kColumns + tx;
  const int first_column = blockIdx.y * kColumns;

  float sums[kColumns] = {};
  for (int begin = 0; begin < depth; begin += kDepth) {
    b_tile[ty][tx] = b[(begin + ty) * b_pitch + first_column + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float element = a[(begin + k) * a_pitch + row];
#pragma unroll
      for (int column = 0; column < kColumns; ++column) sums[column] += element * b_tile[k][column];
    }
    __syncthreads();  // The tile is done with.
  }

  c += first_column * c_pitch + row;
#pragma unroll
  for (int column = 0; column < kColumns; ++column) {
    c[column * c_pitch] = alpha * sums[column] + beta * c[column * c_pitch];
  }
}
