// Counting, finding, reversing, permuting and shifting bits.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = in[i], b = in[count + i];
  unsigned long long wide = (unsigned long long)a << 32 | b;
  unsigned long long reversed = __brevll(wide);
  unsigned results[] = {unsigned(__popc(a)),
                        unsigned(__popcll(wide)),
                        unsigned(__clz(a >> (b & 31))),
                        unsigned(__clzll(wide >> (b & 63))),
                        unsigned(__ffs(a << (b & 31))),
                        unsigned(__ffsll(wide << (b & 63))),
                        __brev(a),
                        unsigned(reversed),
                        unsigned(reversed >> 32),
                        __byte_perm(a, b, 0x3715),
                        __byte_perm(a, b, b & 0x7777),
                        __funnelshift_l(a, b, a),
                        __funnelshift_r(a, b, b),
                        __funnelshift_lc(a, b, b & 63),
                        __funnelshift_rc(a, b, b & 63),
                        a << (b & 31),
                        a >> (b & 31),
                        unsigned(int(a) >> (b & 31)),
                        __umulhi(a, b),
                        unsigned(__mulhi(int(a), int(b))),
                        __umul24(a, b),
                        unsigned(__mul24(int(a), int(b))),
                        __usad(a, b, 7),
                        __sad(int(a), int(b), 9),
                        __uhadd(a, b),
                        unsigned(__rhadd(int(a), int(b))),
                        __fns(a, b & 31, int(b >> 5 & 3) + 1)};
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
