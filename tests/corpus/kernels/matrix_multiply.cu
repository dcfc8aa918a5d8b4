// C = A B, by 16 x 16 tiles, and with 4 x 4 results a thread kept in registers.
constexpr int kTile = 16;

extern "C" __global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// A block of 16 x 16 threads makes a 64 x 64 tile of the result.
extern "C" __global__ void __launch_bounds__(256) sgemm_blocked(const float* __restrict__ a,
                                                                const float* __restrict__ b,
                                                                float* __restrict__ c, int n,
                                                                float alpha, float beta) {
  constexpr int kPanel = 8, kBlock = 64, kEach = 4;
  __shared__ float a_panel[kPanel][kBlock];
  __shared__ float b_panel[kPanel][kBlock];
  int thread = threadIdx.y * 16 + threadIdx.x;
  int first_row = blockIdx.y * kBlock, first_column = blockIdx.x * kBlock;
  float sum[kEach][kEach] = {};
  for (int panel = 0; panel < n; panel += kPanel) {
#pragma unroll
    for (int i = thread; i < kPanel * kBlock; i += 256) {
      a_panel[i % kPanel][i / kPanel] = a[(first_row + i / kPanel) * n + panel + i % kPanel];
      b_panel[i / kBlock][i % kBlock] = b[(panel + i / kBlock) * n + first_column + i % kBlock];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kPanel; ++k) {
      float left[kEach], right[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        left[i] = a_panel[k][threadIdx.y * kEach + i];
        right[i] = b_panel[k][threadIdx.x * kEach + i];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      float* cell =
          c + (first_row + threadIdx.y * kEach + i) * n + first_column + threadIdx.x * kEach + j;
      *cell = alpha * sum[i][j] + beta * *cell;
    }
}

// Double precision, each thread a column of four results.
extern "C" __global__ void dgemm_column(const double* a, const double* b, double* c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= n || row >= n) return;
  double sum[4] = {};
  for (int k = 0; k < n; ++k) {
    double right = b[k * n + column];
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] += a[(row + i) * n + k] * right;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) c[(row + i) * n + column] = sum[i];
}
