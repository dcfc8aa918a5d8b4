// Half precision: scalar and paired arithmetic, comparisons, conversions and functions.
#include <cuda_fp16.h>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  __half a = __ushort_as_half((unsigned short)in[i]);
  __half b = __ushort_as_half((unsigned short)(in[i] >> 16));
  __half2 p = __halves2half2(a, b), q = __halves2half2(b, __float2half(1.5f));
  auto bits = [](__half h) { return (unsigned)__half_as_ushort(h); };
  auto bits2 = [](__half2 h) {
    return (unsigned)__half_as_ushort(__low2half(h)) |
           (unsigned)__half_as_ushort(__high2half(h)) << 16;
  };
  out[i] = bits(__hadd(a, b)) | bits(__hsub(a, b)) << 16;
  out[count + i] = bits(__hmul(a, b)) | bits(__hfma(a, b, a)) << 16;
  out[2 * count + i] = bits2(__hadd2(p, q));
  out[3 * count + i] = bits2(__hfma2(p, q, q));
  out[4 * count + i] = __hlt(a, b) | __hge(a, b) << 1 | __heq(a, b) << 2 | __hneu(a, b) << 3 |
                       __hisnan(a) << 4;
  out[5 * count + i] = __float_as_uint(__half2float(a));
  out[6 * count + i] = bits(__float2half_rn(__uint_as_float(in[i]))) |
                       bits(__float2half_rz(__uint_as_float(in[i]))) << 16;
  out[7 * count + i] = __half2int_rn(a) ^ (__half2uint_rz(b) << 4);
  out[8 * count + i] = bits(__int2half_rn(int(in[i] % 200000) - 100000)) |
                       bits(__habs(b)) << 16;
  out[9 * count + i] = bits(__hneg(a)) | bits(__hmul_sat(a, b)) << 16;
}
