// Conversions between all widths of integers and floating point, with each rounding, at the edges.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float f = __uint_as_float(in[i]);
  double d = __hiloint2double(in[i], in[count + i]);
  unsigned long long wide = (unsigned long long)in[i] << 32 | in[count + i];
  int at = i;
  auto put = [&](unsigned value) {
    out[at] = value;
    at += count;
  };
  auto put_wide = [&](unsigned long long value) {
    put(unsigned(value));
    put(unsigned(value >> 32));
  };
  put(__float2int_rn(f));
  put(__float2int_rz(f));
  put(__float2int_ru(f));
  put(__float2int_rd(f));
  put(__float2uint_rn(f));
  put(__float2uint_rz(f));
  put_wide(__float2ll_rn(f));
  put_wide(__float2ull_rz(f));
  put(__double2int_rn(d));
  put(__double2uint_rz(d));
  put_wide(__double2ll_rd(d));
  put_wide(__double2ull_ru(d));
  float narrowed[] = {__double2float_rn(d),   __double2float_rz(d), __double2float_ru(d),
                      __double2float_rd(d)};
  for (float value : narrowed) put(isnan(value) ? 0x7fc00000u : __float_as_uint(value));
  put(__float_as_uint(__int2float_rn(in[i])));
  put(__float_as_uint(__uint2float_rz(in[i])));
  put(__float_as_uint(__ll2float_ru(wide)));
  put(__float_as_uint(__ull2float_rd(wide)));
  put_wide(__double_as_longlong(__ll2double_rn(wide)));
  put_wide(__double_as_longlong(__ull2double_rz(wide)));
  put_wide(__double_as_longlong(__int2double_rn(in[i])));
}
