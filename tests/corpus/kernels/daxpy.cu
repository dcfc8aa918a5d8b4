// y = a x + y in double precision.
extern "C" __global__ void daxpy(double a, const double* x, double* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}
