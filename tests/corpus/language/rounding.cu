// Arithmetic with the rounding named, in single and double precision.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = __uint_as_float(in[i]), y = __uint_as_float(in[count + i]);
  float singles[] = {__fadd_rn(x, y),    __fadd_rz(x, y), __fadd_ru(x, y),    __fadd_rd(x, y),
                     __fmul_rn(x, y),    __fmul_rz(x, y), __fmul_ru(x, y),    __fmul_rd(x, y),
                     __fdiv_rn(x, y),    __fdiv_rz(x, y), __fdiv_ru(x, y),    __fdiv_rd(x, y),
                     __fsqrt_rn(x),      __fsqrt_rz(x),   __fsqrt_ru(x),      __fsqrt_rd(x),
                     __fmaf_rn(x, y, x), __fmaf_rz(x, y, x), __fmaf_ru(x, y, x),
                     __fmaf_rd(x, y, x), __frcp_rn(x),    __frcp_rz(x),       __frcp_ru(x),
                     __frcp_rd(x)};
  double a = double(x) * 1.1, b = double(y) * 0.9;
  double doubles[] = {__dadd_rz(a, b), __dmul_ru(a, b), __ddiv_rd(a, b), __dsqrt_ru(fabs(a)),
                      __fma_rz(a, b, a), __drcp_rn(b), __ddiv_rn(a, b), __dsqrt_rn(fabs(b))};
  int at = i;
  for (float single : singles) {
    out[at] = isnan(single) ? 0x7fc00000u : __float_as_uint(single);
    at += count;
  }
  for (double value : doubles) {
    if (isnan(value)) value = __hiloint2double(0x7ff80000, 0);
    out[at] = __double2loint(value);
    out[at + count] = __double2hiint(value);
    at += 2 * count;
  }
}
