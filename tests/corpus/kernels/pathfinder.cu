// Cheapest way through a grid, row by row, with a tile that shrinks by a cell a row.
constexpr int kBlock = 256;

extern "C" __global__ void pathfinder(int iterations, const int* wall, const int* source,
                                      int* result, int columns, int start_row, int border) {
  __shared__ int previous[kBlock];
  __shared__ int current[kBlock];
  int tx = threadIdx.x;
  int small = kBlock - iterations * 2;
  int first = small * blockIdx.x - border, last = first + kBlock - 1;
  int x = first + tx;
  int left_limit = first < 0 ? -first : 0;
  int right_limit = last > columns - 1 ? kBlock - 1 - (last - columns + 1) : kBlock - 1;
  int west = max(tx - 1, left_limit), east = min(tx + 1, right_limit);
  bool valid = tx >= left_limit && tx <= right_limit;
  if (x >= 0 && x < columns) previous[tx] = source[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < iterations; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= kBlock - i - 2 && valid) {
      computed = true;
      int shortest = min(previous[tx], min(previous[west], previous[east]));
      current[tx] = shortest + wall[columns * (start_row + i) + x];
    }
    __syncthreads();
    if (i == iterations - 1) break;
    if (computed) previous[tx] = current[tx];
    __syncthreads();
  }
  if (computed) result[x] = current[tx];
}
