// Matrix transpose through a padded tile in shared memory.
constexpr int kTile = 32;
constexpr int kRows = 8;

extern "C" __global__ void transpose(const float* input, float* output, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows)
    if (x < width && y + row < height)
      tile[threadIdx.y + row][threadIdx.x] = input[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows)
    if (x < height && y + row < width)
      output[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}
