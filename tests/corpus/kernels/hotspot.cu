// Heat of a chip: several time steps on a tile that shrinks by a cell a step (pyramid).
constexpr int kBlock = 16;

extern "C" __global__ void hotspot(int iterations, const float* power, const float* source,
                                   float* destination, int columns, int rows, int border,
                                   float capacity_inverse, float rx_inverse, float ry_inverse,
                                   float rz_inverse, float step) {
  __shared__ float temperature[kBlock][kBlock];
  __shared__ float heat[kBlock][kBlock];
  __shared__ float next[kBlock][kBlock];
  constexpr float kAmbient = 80.0f;
  int tx = threadIdx.x, ty = threadIdx.y;
  int small = kBlock - iterations * 2;
  int first_row = small * blockIdx.y - border, first_column = small * blockIdx.x - border;
  int last_row = first_row + kBlock - 1, last_column = first_column + kBlock - 1;
  int row = first_row + ty, column = first_column + tx;
  bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
  if (inside) {
    temperature[ty][tx] = source[row * columns + column];
    heat[ty][tx] = power[row * columns + column];
  }
  __syncthreads();
  int top = first_row < 0 ? -first_row : 0;
  int bottom = last_row > rows - 1 ? kBlock - 1 - (last_row - rows + 1) : kBlock - 1;
  int left = first_column < 0 ? -first_column : 0;
  int right = last_column > columns - 1 ? kBlock - 1 - (last_column - columns + 1) : kBlock - 1;
  int north = max(ty - 1, top), south = min(ty + 1, bottom);
  int west = max(tx - 1, left), east = min(tx + 1, right);
  bool computed = false;
  for (int i = 0; i < iterations; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= kBlock - i - 2 && ty >= i + 1 && ty <= kBlock - i - 2 &&
        tx >= left && tx <= right && ty >= top && ty <= bottom) {
      computed = true;
      float here = temperature[ty][tx];
      next[ty][tx] =
          here + step * capacity_inverse *
                     (heat[ty][tx] +
                      (temperature[south][tx] + temperature[north][tx] - 2.0f * here) * ry_inverse +
                      (temperature[ty][east] + temperature[ty][west] - 2.0f * here) * rx_inverse +
                      (kAmbient - here) * rz_inverse);
    }
    __syncthreads();
    if (i == iterations - 1) break;
    if (computed) temperature[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) destination[row * columns + column] = next[ty][tx];
}
