// Points of Sobol's sequence in the order of Gray codes: a row of blocks for each dimension, whose
// threads have every stride-th point each.

#include "kernel.h"

using namespace sobol_qrng;

// `directions`: kBits for each dimension. `points`: `count` for each. The threads of a row of
// blocks are a power of two, two at least.
extern "C" __global__ void sobol_points(const unsigned* directions, float* points, int count) {
  __shared__ unsigned direction[kBits];
  if (threadIdx.x < kBits) direction[threadIdx.x] = directions[blockIdx.y * kBits + threadIdx.x];
  __syncthreads();

  const unsigned stride = gridDim.x * blockDim.x;
  const int stride_bit = __ffs(stride) - 1;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  points += blockIdx.y * static_cast<unsigned>(count);

  // The first point of a thread from scratch: a direction for each bit of the Gray code.
  const unsigned gray = first ^ first >> 1;
  unsigned point = 0;
#pragma unroll 1
  for (int bit = 0; bit < stride_bit; ++bit) {
    if (gray >> bit & 1) point ^= direction[bit];
  }

  // Between points a stride apart, two bits of the Gray code change: the one below the bit of the
  // stride, and that of the lowest zero from there upwards.
  const unsigned below = direction[stride_bit - 1];
#pragma unroll 1
  for (unsigned i = first; i < count; i += stride) {
    points[i] = static_cast<float>(point) * 0x1p-32f;
    point ^= below ^ direction[__ffs(~(i | (stride - 1))) - 1];
  }
}
