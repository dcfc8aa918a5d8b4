#include "kernel.h"

using namespace spmv_jds;

__constant__ int diagonal_begin[kMostDiagonals];
__constant__ int warp_length[kMostWarps];

// The product of a sparse matrix and a vector. The matrix is stored in jagged diagonals (JDS), as in
// Parboil's program: rows are sorted by length, and diagonal k has entry k of each row that is long
// enough, so that neighbouring threads read neighbouring words. Rows of a warp are filled up with
// zeros to the length of the longest.
extern "C" __global__ void multiply_diagonals(const int* columns, const float* values,
                                              const int* row_of, const float* x, float* y,
                                              int rows) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= rows) return;
  const int length = warp_length[place / kWarpRows];
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < length; ++k) {
    const int entry = diagonal_begin[k] + place;
    sum += values[entry] * x[columns[entry]];
  }
  y[row_of[place]] = sum;
}
