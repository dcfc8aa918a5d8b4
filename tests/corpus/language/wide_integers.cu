// 64-bit and 128-bit integers: products, quotients, shifts by any amount, comparisons.
extern "C" __global__ void program(const unsigned long long* in, unsigned long long* out,
                                   int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long a = in[i], b = in[count + i];
  long long sa = a, sb = b;
  unsigned long long results[] = {
      a * b,
      __umul64hi(a, b),
      (unsigned long long)__mul64hi(sa, sb),
      b == 0 ? 0 : a / b,
      b == 0 ? 0 : a % b,
      (unsigned long long)(sb == 0 || sb == -1 ? 0 : sa / sb),
      (unsigned long long)(sb == 0 || sb == -1 ? 0 : sa % sb),
      a << (b & 63),
      a >> (b & 63),
      (unsigned long long)(sa >> (b & 63)),
      (unsigned long long)(a < b) | (sa < sb) << 1 | (a == b) << 2,
      min(a, b),
      (unsigned long long)max(sa, sb),
      a / 10,
      a % 1000000007,
      (unsigned long long)(sa / 7),
      (unsigned long long)llabs(sa),
      (unsigned long long)(((unsigned __int128)a * b) >> 37),
      (unsigned long long)(((__int128)sa + sb) >> 1),
      (unsigned long long)((((unsigned __int128)a << 64 | b) / ((b >> 3) | 1))),
      (unsigned long long)(unsigned)a * (unsigned)b,
      (unsigned long long)((long long)(int)a * (int)b),
      a + (b >> 32 << 32) - (a & 0xffff0000ull),
  };
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
