// Eight-bit floating point (compute capability 8.9): conversions to and from pairs.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = __int2float_rn(int(in[i] % 2000) - 1000) * 0.5f;
  float y = __int2float_rn(int(in[i] >> 12) % 4096) * 0.0078125f;
  out[i] = __nv_cvt_float2_to_fp8x2(make_float2(x, y), __NV_SATFINITE, __NV_E4M3) |
           unsigned(__nv_cvt_float2_to_fp8x2(make_float2(x, y), __NV_SATFINITE, __NV_E5M2)) << 16;
  __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2((unsigned short)in[i], __NV_E4M3);
  out[count + i] = pair.x | unsigned(pair.y) << 16;
  pair = __nv_cvt_fp8x2_to_halfraw2((unsigned short)in[i], __NV_E5M2);
  out[2 * count + i] = pair.x | unsigned(pair.y) << 16;
}
