// bfloat16: arithmetic and conversions (in software before compute capability 8.0).
#include <cuda_bf16.h>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  __nv_bfloat16 a = __ushort_as_bfloat16((unsigned short)in[i]);
  __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)(in[i] >> 16));
  auto bits = [](__nv_bfloat16 h) { return (unsigned)__bfloat16_as_ushort(h); };
  out[i] = bits(__hadd(a, b)) | bits(__hmul(a, b)) << 16;
#if __CUDA_ARCH__ >= 800
  unsigned fused = bits(__hfma(a, b, a));
#else
  unsigned fused = 0;
#endif
  out[count + i] = fused | bits(__hsub(b, a)) << 16;
  out[2 * count + i] = __float_as_uint(__bfloat162float(a));
  out[3 * count + i] = bits(__float2bfloat16_rn(__uint_as_float(in[i]))) |
                       bits(__float2bfloat16_rz(__uint_as_float(in[i]))) << 16;
  out[4 * count + i] = __hlt(a, b) | __hle(a, b) << 1 | __heq(a, b) << 2;
}
