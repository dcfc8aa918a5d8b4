// y = a x + y on pairs of half-precision numbers, and a product sum in half2 with float at the end.
#include <cuda_fp16.h>

extern "C" __global__ void half2_axpy(__half2 a, const __half2* x, __half2* y, int pairs) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x)
    y[i] = __hfma2(a, x[i], y[i]);
}

extern "C" __global__ void half2_dot(const __half2* a, const __half2* b, float* result,
                                     int pairs) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    float2 product = __half22float2(__hmul2(a[i], b[i]));
    sum += product.x + product.y;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}
