// The wavelet transform of Haar: of every two neighbours their sum, which goes on to the next
// level, and their difference, which is a result; both by the root of two.

#include "kernel.h"

// A block has 2^levels samples. A level's differences follow those of the coarser ones, as is
// usual: `length / 2^level` is where they start.
extern "C" __global__ void haar_decompose(const float* samples, float* coefficients,
                                          float* averages, int length, int levels) {
  // Samples of even and of odd number apart, so that neighbouring threads read neighbouring words.
  // 16 words more, so that writing both kinds is in different banks too.
  __shared__ float pairs[2][kThreads + 16];
  const float root = 0.70710678f;
  const int thread = threadIdx.x;
  int count = 1 << (levels - 1);

  if (thread < count) {
    samples += blockIdx.x << levels;
    pairs[thread & 1][thread >> 1] = samples[thread];
    const int other = thread + count;
    pairs[other & 1][other >> 1] = samples[other];
  }
  __syncthreads();

  for (int level = 1; level <= levels; ++level) {
    float average = 0.0f;
    if (thread < count) {
      const float even = pairs[0][thread];
      const float odd = pairs[1][thread];
      average = (even + odd) * root;
      coefficients[(length >> level) + blockIdx.x * count + thread] = (even - odd) * root;
    }
    __syncthreads();  // All pairs have been read.
    if (thread < count) pairs[thread & 1][thread >> 1] = average;
    count /= 2;
    __syncthreads();
  }
  if (thread == 0) averages[blockIdx.x] = pairs[0][0];
}
