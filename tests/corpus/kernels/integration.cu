// Ordinary differential equations a thread each: a cell's eight coupled rates by Runge and Kutta,
// with many live doubles; and eigenvalues of a symmetric tridiagonal matrix by bisection.
constexpr int kEquations = 8;

__device__ inline void rates(const double* y, double* dy, double stimulus) {
  double open = 1.0 / (1.0 + y[0] * y[0]);
  dy[0] = stimulus - y[0] * y[1] - 0.5 * y[0];
  dy[1] = 0.3 * (y[0] - y[1] * y[2]);
  dy[2] = 0.2 * (y[1] - y[2]) + 0.1 * y[3] * open;
  dy[3] = 0.7 * open - 0.4 * y[3] * y[4];
  dy[4] = 0.25 * (y[3] + y[5] - 2.0 * y[4]);
  dy[5] = 0.6 * y[4] / (1.0 + y[6]) - 0.3 * y[5];
  dy[6] = 0.15 * (y[5] * y[7] - y[6]);
  dy[7] = 0.35 * (y[6] + y[0] - y[7]);
}

extern "C" __global__ void runge_kutta(double* states, const double* stimuli, int systems,
                                       int steps, double h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems) return;
  double y[kEquations], k1[kEquations], k2[kEquations], k3[kEquations], k4[kEquations],
      at[kEquations];
#pragma unroll
  for (int e = 0; e < kEquations; ++e) y[e] = states[e * systems + i];
  double stimulus = stimuli[i];
  for (int step = 0; step < steps; ++step) {
    rates(y, k1, stimulus);
#pragma unroll
    for (int e = 0; e < kEquations; ++e) at[e] = y[e] + 0.5 * h * k1[e];
    rates(at, k2, stimulus);
#pragma unroll
    for (int e = 0; e < kEquations; ++e) at[e] = y[e] + 0.5 * h * k2[e];
    rates(at, k3, stimulus);
#pragma unroll
    for (int e = 0; e < kEquations; ++e) at[e] = y[e] + h * k3[e];
    rates(at, k4, stimulus);
#pragma unroll
    for (int e = 0; e < kEquations; ++e)
      y[e] += h / 6.0 * (k1[e] + 2.0 * k2[e] + 2.0 * k3[e] + k4[e]);
  }
#pragma unroll
  for (int e = 0; e < kEquations; ++e) states[e * systems + i] = y[e];
}

// Thread i finds the i-th smallest eigenvalue by Sturm's count.
extern "C" __global__ void eigenvalues(const float* diagonal, const float* beside, int n,
                                       float low, float high, float precision, float* values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (high - low > precision) {
    float middle = 0.5f * (low + high);
    int below = 0;
    float delta = diagonal[0] - middle;
    below += delta < 0.0f;
    for (int k = 1; k < n; ++k) {
      delta = diagonal[k] - middle - beside[k - 1] * beside[k - 1] / delta;
      below += delta < 0.0f;
    }
    if (below > i)
      high = middle;
    else
      low = middle;
  }
  values[i] = 0.5f * (low + high);
}
