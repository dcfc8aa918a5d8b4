// The vector work of a conjugate-gradient step on a five-point Laplacian, double precision.
extern "C" __global__ void cg_apply(const double* p, double* q, double* p_dot_q, int width,
                                    int height) {
  __shared__ double sums[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double product = 0.0;
  if (i < width * height) {
    int x = i % width, y = i / width;
    double value = 4.0 * p[i];
    if (x > 0) value -= p[i - 1];
    if (x < width - 1) value -= p[i + 1];
    if (y > 0) value -= p[i - width];
    if (y < height - 1) value -= p[i + width];
    q[i] = value;
    product = p[i] * value;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    product += __shfl_xor_sync(~0u, product, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = product;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < blockDim.x / 32; ++warp) product += sums[warp];
    atomicAdd(p_dot_q, product);
  }
}

extern "C" __global__ void cg_update(double* x, double* r, const double* p, const double* q,
                                     const double* r_dot_r, const double* p_dot_q, int count) {
  double alpha = *r_dot_r / *p_dot_q;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}
