// A row pass of a separable convolution: eight results a thread, halo in shared memory.
constexpr int kRadius = 8;
constexpr int kBlockX = 16, kBlockY = 4, kSteps = 8;

__constant__ float convolution_kernel[2 * kRadius + 1];

extern "C" __global__ void convolve_rows(const float* source, float* destination, int width,
                                         int pitch) {
  __shared__ float data[kBlockY][(kSteps + 2) * kBlockX];
  int base_x = (blockIdx.x * kSteps - 1) * kBlockX + threadIdx.x;
  int base_y = blockIdx.y * kBlockY + threadIdx.y;
  source += base_y * pitch + base_x;
  destination += base_y * pitch + base_x;
#pragma unroll
  for (int i = 0; i < kSteps + 2; ++i) {
    int x = base_x + i * kBlockX;
    data[threadIdx.y][threadIdx.x + i * kBlockX] = x >= 0 && x < width ? source[i * kBlockX] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 1; i < kSteps + 1; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kRadius; j <= kRadius; ++j)
      sum += convolution_kernel[kRadius - j] * data[threadIdx.y][threadIdx.x + i * kBlockX + j];
    destination[i * kBlockX] = sum;
  }
}

// The column pass without shared memory: the caches do the work.
extern "C" __global__ void convolve_columns(const float* __restrict__ source, float* destination,
                                            int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j) {
    int row = y + j;
    if (row < 0 || row >= height) continue;
    sum += convolution_kernel[kRadius - j] * source[row * width + x];
  }
  destination[y * width + x] = sum;
}
