// Element-wise sum of two vectors, one element a thread.
extern "C" __global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

// The same over a grid-stride loop, so that any grid covers any length.
extern "C" __global__ void vector_add_strided(const float* __restrict__ a,
                                              const float* __restrict__ b,
                                              float* __restrict__ sum, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sum[i] = a[i] + b[i];
}
