// The sum of a vector: every block adds up kPerBlock numbers. Launched again over the blocks' sums
// until one is left.

#include "kernel.h"

extern "C" __global__ void reduce_sum(const unsigned* numbers, unsigned count,
                                      unsigned* block_sums) {
  __shared__ unsigned partial[kThreads];
  const unsigned tid = threadIdx.x;
  const unsigned first = blockIdx.x * kPerBlock + tid;

  // A block's threads read side by side: a warp reads one stretch of memory.
  unsigned sum = 0;
  if ((blockIdx.x + 1) * kPerBlock <= count) {
    for (unsigned k = 0; k < kPerThread; ++k) sum += numbers[first + k * kThreads];
  } else {
    for (unsigned i = first; i < count; i += kThreads) sum += numbers[i];
  }
  partial[tid] = sum;
  __syncthreads();

  // The threads that still work are the first ones, so that whole warps run idle, not half ones.
  for (unsigned half = kThreads / 2; half > 32; half /= 2) {
    if (tid < half) partial[tid] = sum += partial[tid + half];
    __syncthreads();
  }

  // One warp is left: its lanes need not wait for other warps, nor be told apart. The upper lanes
  // add what nobody reads.
  if (tid < 32) {
    partial[tid] = sum += partial[tid + 32];
    __syncwarp();
#pragma unroll
    for (unsigned half = 16; half > 0; half /= 2) {
      sum += partial[tid + half];
      __syncwarp();
      partial[tid] = sum;
      __syncwarp();
    }
    if (tid == 0) block_sums[blockIdx.x] = sum;
  }
}
