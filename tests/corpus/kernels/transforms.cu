// Walsh-Hadamard transform of a block and one level after another of Haar's wavelets.
extern "C" __global__ void fast_walsh(const float* input, float* output, int log2_size) {
  extern __shared__ float values[];
  int size = 1 << log2_size, base = blockIdx.x << log2_size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) values[i] = input[base + i];
  int stride = size / 4, thread = threadIdx.x;
  for (; stride > 0; stride /= 4) {
    int low = thread & (stride - 1);
    int i0 = (thread - low) * 4 + low, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    __syncthreads();
    float d0 = values[i0], d1 = values[i1], d2 = values[i2], d3 = values[i3];
    float t = d0;
    d0 = d0 + d2, d2 = t - d2;
    t = d1;
    d1 = d1 + d3, d3 = t - d3;
    values[i0] = d0 + d1;
    values[i1] = d0 - d1;
    values[i2] = d2 + d3;
    values[i3] = d2 - d3;
  }
  if (log2_size & 1) {
    __syncthreads();
    for (int pair = thread; pair < size / 2; pair += blockDim.x) {
      float d0 = values[2 * pair], d1 = values[2 * pair + 1];
      values[2 * pair] = d0 + d1;
      values[2 * pair + 1] = d0 - d1;
    }
  }
  __syncthreads();
  for (int i = thread; i < size; i += blockDim.x) output[base + i] = values[i];
}

// A block of n/2 threads decomposes n samples through `levels` levels.
extern "C" __global__ void haar_dwt(const float* signal, float* coefficients, int levels) {
  extern __shared__ float approximation[];
  constexpr float kHalf = 0.70710678118654752f;
  int thread = threadIdx.x, samples = 2 * blockDim.x, base = blockIdx.x * samples;
  approximation[thread] = signal[base + thread];
  approximation[thread + blockDim.x] = signal[base + thread + blockDim.x];
  __syncthreads();
  int active = blockDim.x;
  for (int level = 0; level < levels; ++level, active >>= 1) {
    float low = 0, high = 0;
    if (thread < active) {
      low = approximation[2 * thread];
      high = approximation[2 * thread + 1];
    }
    __syncthreads();
    if (thread < active) {
      coefficients[base + active + thread] = (low - high) * kHalf;
      approximation[thread] = (low + high) * kHalf;
    }
    __syncthreads();
  }
  if (thread < 2 * active) coefficients[base + thread] = approximation[thread];
}
