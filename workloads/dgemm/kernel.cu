#include "kernel.h"

using namespace dgemm;

// C = alpha A B + beta C, where all three are stored column by column: A is rows x depth, B is
// depth x columns. A block computes 64 x 64 elements of C, a thread every 16th of them in either
// direction, in registers (Nath, Tomov and Dongarra, An Improved MAGMA GEMM for Fermi, 2010). For
// rows and columns beyond the matrices it loads the last ones, and stores nothing. 64 registers a
// thread are enough, and all there are where 1024 threads share 256 KB.
extern "C" __global__ void __launch_bounds__(kBlock, 1024 / kBlock)
    dgemm_nn(const double* a, const double* b, double* c, int rows, int columns, int depth,
             double alpha, double beta) {
  // An element more in each row, for threads to meet in no bank.
  __shared__ double a_tile[kDepth][kSide + 1];
  __shared__ double b_tile[kSide][kDepth + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int first_row = blockIdx.x * kSide;
  const int first_column = blockIdx.y * kSide;

  double sums[kEach][kEach] = {};
  for (int begin = 0; begin < depth; begin += kDepth) {
    // Neighbouring threads go along columns, in which memory is contiguous: 64 down A, 16 down B.
    const int thread = ty * kThreads + tx;
    const int a_row = thread % kSide;
    const double* const a_column = a + min(first_row + a_row, rows - 1);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int a_k = thread / kSide + i * kBlock / kSide;
      a_tile[a_k][a_row] = begin + a_k < depth ? a_column[(begin + a_k) * rows] : 0.0;
      const int b_column = ty + i * kThreads;
      b_tile[b_column][tx] = begin + tx < depth
                                 ? b[min(first_column + b_column, columns - 1) * depth + begin + tx]
                                 : 0.0;
    }
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < kDepth; ++k) {
      double left[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) left[i] = a_tile[k][tx + i * kThreads];
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const double above = b_tile[ty + j * kThreads][k];
#pragma unroll
        for (int i = 0; i < kEach; ++i) sums[j][i] += left[i] * above;
      }
    }
    __syncthreads();  // The tiles are done with.
  }

#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int column = first_column + ty + j * kThreads;
    if (column >= columns) return;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + tx + i * kThreads;
      if (row < rows) {
        double& element = c[column * rows + row];
        element = alpha * sums[j][i] + beta * element;
      }
    }
  }
}
