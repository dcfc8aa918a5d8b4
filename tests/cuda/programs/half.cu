// Half precision, alone and in pairs.
#include <cuda_fp16.h>

#include "check.h"

__global__ void combine(const float* in, float* out) {
  const int i = int(threadIdx.x);
  const __half a = __float2half(in[i]), b = __float2half(0.5f);
  out[i] = __half2float(__hfma(a, b, __float2half(1)));
  const __half2 pair = __hmul2(__halves2half2(a, b), __float2half2_rn(2));
  out[32 + i] = __low2float(pair) + __high2float(pair);
  out[64 + i] = __hgt(a, b) ? 1.0f : 0.0f;
}

int main() {
  float *in = nullptr, *out = nullptr;
  CALL(cudaMallocManaged(&in, 32 * sizeof(float)));
  CALL(cudaMallocManaged(&out, 96 * sizeof(float)));
  for (int i = 0; i < 32; ++i) in[i] = float(i) / 4;
  combine<<<1, 32>>>(in, out);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    EXPECT(out[i] == in[i] / 2 + 1);
    EXPECT(out[32 + i] == 2 * in[i] + 1);
    EXPECT(out[64 + i] == (in[i] > 0.5f ? 1.0f : 0.0f));
  }
  return verdict();
}
