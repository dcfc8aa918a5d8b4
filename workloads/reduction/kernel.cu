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

// The same on a grid that is resident as a whole: a thread adds up every number that lies a grid
// further than its last. The threads' sums go through global memory, and the first half of those
// that are left adds the other half's, until every block has one.
extern "C" __global__ void reduce_sum_resident(const unsigned* numbers, unsigned count,
                                               unsigned* thread_sums, unsigned* block_sums) {
  const unsigned tid = threadIdx.x;
  const unsigned first = blockIdx.x * blockDim.x + tid;
  unsigned sum = 0;
  for (unsigned i = first; i < count; i += gridDim.x * blockDim.x) sum += numbers[i];
  thread_sums[first] = sum;
  __syncthreads();

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (tid < half) thread_sums[first] = sum += thread_sums[first + half];
    __syncthreads();
  }
  if (tid == 0) block_sums[blockIdx.x] = sum;
}
