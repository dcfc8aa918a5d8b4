// Integers packed in words: dot products and the SIMD functions on bytes and halfwords.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = in[i], b = in[count + i];
  unsigned results[] = {unsigned(__dp4a(int(a), int(b), 100)),
                        __dp4a(a, b, 100u),
                        unsigned(__dp2a_lo(int(a), int(b), -5)),
                        __dp2a_hi(a, b, 5u),
                        __vadd4(a, b),
                        __vsub2(a, b),
                        __vaddss2(a, b),
                        __vsubus4(a, b),
                        __vmaxs4(a, b),
                        __vminu2(a, b),
                        __vabsdiffu4(a, b),
                        __vsads2(a, b),
                        __vsadu4(a, b),
                        __vcmpgts4(a, b),
                        __vcmpeq2(a, b & 0xffff0000u | a & 0xffff),
                        __vsetleu4(a, b),
                        __vavgu4(a, b),
                        __vhaddu2(a, b),
                        __vabs2(a),
                        __vneg4(b),
                        __vmaxs2(a, b)};
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
