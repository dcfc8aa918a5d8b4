// Sparse matrix times vector: a thread a row, a warp a row (compressed rows), and the padded
// column-major form (ELLPACK).
extern "C" __global__ void spmv_csr_scalar(const int* row_starts, const int* columns,
                                           const float* values, const float* x, float* y,
                                           int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = row_starts[row]; i < row_starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

extern "C" __global__ void spmv_csr_vector(const int* __restrict__ row_starts,
                                           const int* __restrict__ columns,
                                           const double* __restrict__ values,
                                           const double* __restrict__ x, double* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  double sum = 0.0;
  for (int i = row_starts[row] + lane; i < row_starts[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

extern "C" __global__ void spmv_ellpack(const int* columns, const float* values, const float* x,
                                        float* y, int rows, int width, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int column = columns[k * pitch + row];
    if (column < 0) break;
    sum += values[k * pitch + row] * x[column];
  }
  y[row] = sum;
}
