// Five points in the plane with a halo in shared memory, and a high-order star in space that walks
// the z axis with its column in registers.
extern "C" __global__ void stencil_2d(const float* input, float* output, int width, int height,
                                      float centre, float side) {
  __shared__ float tile[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [=](int column, int row) {
    column = min(max(column, 0), width - 1);
    row = min(max(row, 0), height - 1);
    return input[row * width + column];
  };
  tile[ty][tx] = at(x, y);
  if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
  if (threadIdx.x == 15) tile[ty][17] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
  if (threadIdx.y == 15) tile[17][tx] = at(x, y + 1);
  __syncthreads();
  if (x >= width || y >= height) return;
  output[y * width + x] = centre * tile[ty][tx] + side * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                                          tile[ty - 1][tx] + tile[ty + 1][tx]);
}

constexpr int kRadius = 4;
__constant__ float stencil_weights[kRadius + 1] = {0.5f, 0.125f, -0.0625f, 0.03125f, -0.015625f};

// The volume carries a border of kRadius cells on every side; the block is 16 x 16.
extern "C" __global__ void stencil_3d(const float* __restrict__ input, float* __restrict__ output,
                                      int nx, int ny, int nz) {
  __shared__ float plane[16 + 2 * kRadius][16 + 2 * kRadius];
  int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
  int row = nx + 2 * kRadius, slice = row * (ny + 2 * kRadius);
  int index = (blockIdx.y * 16 + ty) * row + blockIdx.x * 16 + tx;
  float behind[kRadius], ahead[kRadius], current;
#pragma unroll
  for (int i = 0; i < kRadius; ++i) behind[kRadius - 1 - i] = input[index + i * slice];
  current = input[index + kRadius * slice];
#pragma unroll
  for (int i = 0; i < kRadius; ++i) ahead[i] = input[index + (kRadius + 1 + i) * slice];
  int centre = index + kRadius * slice;
  for (int z = 0; z < nz; ++z, centre += slice) {
    __syncthreads();
    plane[ty][tx] = current;
    if (threadIdx.y < kRadius) {
      plane[threadIdx.y][tx] = input[centre - kRadius * row];
      plane[ty + 16][tx] = input[centre + 16 * row];
    }
    if (threadIdx.x < kRadius) {
      plane[ty][threadIdx.x] = input[centre - kRadius];
      plane[ty][tx + 16] = input[centre + 16];
    }
    __syncthreads();
    float value = stencil_weights[0] * current;
#pragma unroll
    for (int i = 1; i <= kRadius; ++i)
      value += stencil_weights[i] * (ahead[i - 1] + behind[i - 1] + plane[ty - i][tx] +
                                     plane[ty + i][tx] + plane[ty][tx - i] + plane[ty][tx + i]);
    output[centre] = value;
#pragma unroll
    for (int i = kRadius - 1; i > 0; --i) behind[i] = behind[i - 1];
    behind[0] = current;
    current = ahead[0];
#pragma unroll
    for (int i = 0; i < kRadius - 1; ++i) ahead[i] = ahead[i + 1];
    if (z + 1 < nz) ahead[kRadius - 1] = input[centre + (kRadius + 1) * slice];
  }
}
