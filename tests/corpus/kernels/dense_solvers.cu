// Dense linear algebra: the diagonal block of an LU decomposition, the two kernels of Gaussian
// elimination, a triangular solve, and cyclic reduction of a tridiagonal system.
constexpr int kBlock = 16;

extern "C" __global__ void lud_diagonal(float* matrix, int n, int offset) {
  __shared__ float block[kBlock][kBlock];
  int thread = threadIdx.x;
  for (int row = 0; row < kBlock; ++row)
    block[row][thread] = matrix[(offset + row) * n + offset + thread];
  __syncthreads();
  for (int i = 0; i < kBlock - 1; ++i) {
    if (thread > i) {
      for (int j = 0; j < i; ++j) block[thread][i] -= block[thread][j] * block[j][i];
      block[thread][i] /= block[i][i];
    }
    __syncthreads();
    if (thread > i)
      for (int j = 0; j <= i; ++j) block[i + 1][thread] -= block[i + 1][j] * block[j][thread];
    __syncthreads();
  }
  for (int row = 1; row < kBlock; ++row)
    matrix[(offset + row) * n + offset + thread] = block[row][thread];
}

extern "C" __global__ void gaussian_multipliers(float* multipliers, const float* a, int n,
                                                int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1 - step) return;
  multipliers[n * (i + step + 1) + step] = a[n * (i + step + 1) + step] / a[n * step + step];
}

extern "C" __global__ void gaussian_eliminate(const float* multipliers, float* a, float* b, int n,
                                              int step) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n - 1 - step || column >= n - step) return;
  float multiplier = multipliers[n * (row + 1 + step) + step];
  a[n * (row + 1 + step) + column + step] -= multiplier * a[n * step + column + step];
  if (column == 0) b[row + 1 + step] -= multiplier * b[step];
}

// Parallel cyclic reduction: a block solves a system of blockDim.x equations.
extern "C" __global__ void tridiagonal_pcr(const double* lower, const double* diagonal,
                                           const double* upper, const double* right,
                                           double* solution) {
  extern __shared__ double equations[];
  int n = blockDim.x, i = threadIdx.x, at = blockIdx.x * n + i;
  double *a = equations, *b = a + n, *c = b + n, *d = c + n;
  a[i] = lower[at];
  b[i] = diagonal[at];
  c[i] = upper[at];
  d[i] = right[at];
  __syncthreads();
  for (int stride = 1; stride < n; stride *= 2) {
    double new_a = 0, new_b = b[i], new_c = 0, new_d = d[i];
    if (i >= stride) {
      double k = a[i] / b[i - stride];
      new_a = -a[i - stride] * k;
      new_b -= c[i - stride] * k;
      new_d -= d[i - stride] * k;
    }
    if (i + stride < n) {
      double k = c[i] / b[i + stride];
      new_c = -c[i + stride] * k;
      new_b -= a[i + stride] * k;
      new_d -= d[i + stride] * k;
    }
    __syncthreads();
    a[i] = new_a;
    b[i] = new_b;
    c[i] = new_c;
    d[i] = new_d;
    __syncthreads();
  }
  solution[at] = d[i] / b[i];
}
