// The transform of Walsh and Hadamard in its natural order: for each bit of the index, sums and
// differences of what differs in that bit. The bits may be done in any order; two at a time are a
// radix-4 butterfly.

#include "kernel.h"

// The four values lie `stride` apart.
__device__ void butterfly(float* values, int stride) {
  const float a = values[0];
  const float b = values[stride];
  const float c = values[2 * stride];
  const float d = values[3 * stride];
  const float even_sum = a + c;
  const float even_difference = a - c;
  const float odd_sum = b + d;
  const float odd_difference = b - d;
  values[0] = even_sum + odd_sum;
  values[stride] = even_sum - odd_sum;
  values[2 * stride] = even_difference + odd_difference;
  values[3 * stride] = even_difference - odd_difference;
}

// Where the butterfly of a thread starts: two zero bits are put into its number.
__device__ int start_of(int thread, int stride) {
  const int low = thread & (stride - 1);
  return (thread - low) * 4 + low;
}

// Two bits that lie too high for a block's part of the values.
extern "C" __global__ void walsh_global(float* values, int stride) {
  butterfly(values + start_of(blockIdx.x * kGlobalBlock + threadIdx.x, stride), stride);
}

// All of the lower bits.
extern "C" __global__ void walsh_shared(float* values) {
  __shared__ float part[kSharedLength];
  const int thread = threadIdx.x;
  values += blockIdx.x * kSharedLength;
  for (int i = thread; i < kSharedLength; i += kSharedBlock) part[i] = values[i];

  for (int stride = kSharedLength / 4; stride >= 2; stride /= 4) {
    __syncthreads();
    butterfly(part + start_of(thread, stride), stride);
  }
  static_assert(kLogSharedLength % 2 == 1, "one bit is left over");
  __syncthreads();
  for (int i = 2 * thread; i < kSharedLength; i += 2 * kSharedBlock) {
    const float a = part[i];
    const float b = part[i + 1];
    part[i] = a + b;
    part[i + 1] = a - b;
  }
  __syncthreads();

  for (int i = thread; i < kSharedLength; i += kSharedBlock) values[i] = part[i];
}

// The product of two spectra is that of a convolution.
extern "C" __global__ void multiply_spectra(float* spectrum, const float* other, int length,
                                            float scale) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    spectrum[i] *= scale * other[i];
  }
}
