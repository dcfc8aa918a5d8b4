// Sum of a vector: first as a tree in shared memory, then with shuffles inside a warp.
constexpr int kThreads = 256;

extern "C" __global__ void reduce_shared(const float* input, float* block_sums, int count) {
  __shared__ float partial[kThreads];
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
    sum += input[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduce_shuffle(const int* input, int* total, int count) {
  __shared__ int warp_sums[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sum += input[i];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(~0u, sum, offset);
    if (lane == 0) atomicAdd(total, sum);
  }
}

extern "C" __global__ void scalar_product(const double* a, const double* b, double* result,
                                          int count) {
  __shared__ double partial[kThreads];
  double sum = 0.0;
  for (int i = threadIdx.x; i < count; i += kThreads) sum = fma(a[i], b[i], sum);
  partial[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int half = kThreads / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = partial[0];
}
