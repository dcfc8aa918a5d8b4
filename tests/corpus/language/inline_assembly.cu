// Assembly inside C++: carry chains, logic tables, fields, permutes, predicates and wide products.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = in[i], b = in[count + i];
  int at = i;
  auto put = [&](unsigned value) {
    out[at] = value;
    at += count;
  };
  unsigned r0, r1, r2, r3;
  asm("{ add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %3; addc.u32 %2, 0, 0; }"
      : "=r"(r0), "=r"(r1), "=r"(r2)
      : "r"(a), "r"(b));
  put(r0);
  put(r1);
  put(r2);
  asm("{ sub.cc.u32 %0, %2, %3; subc.u32 %1, %3, %2; }" : "=r"(r0), "=r"(r1) : "r"(a), "r"(b));
  put(r0);
  put(r1);
  asm("{ mad.lo.cc.u32 %0, %2, %3, %2; madc.hi.u32 %1, %2, %3, %3; }"
      : "=r"(r0), "=r"(r1)
      : "r"(a), "r"(b));
  put(r0);
  put(r1);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r0) : "r"(a), "r"(b), "r"(a >> 7));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r1) : "r"(a), "r"(b), "r"(a >> 7));
  put(r0);
  put(r1);
  asm("bfind.u32 %0, %1;" : "=r"(r0) : "r"(a >> (b & 31)));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r1) : "r"(a));
  put(r0);
  put(r1);
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r0) : "r"(a), "r"(b & 31), "r"(b >> 8 & 15));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r1) : "r"(a), "r"(b & 31), "r"(b >> 8 & 15));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r2) : "r"(a), "r"(b), "r"(b & 31), "r"(b >> 8 & 15));
  put(r0);
  put(r1);
  put(r2);
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r0) : "r"(a), "r"(b), "r"(b & 3));
  asm("prmt.b32 %0, %1, %2, 0x8f61;" : "=r"(r1) : "r"(a), "r"(b));
  put(r0);
  put(r1);
  asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, %2, 1; selp.u32 %0, %1, %2, p;"
      "  @q add.u32 %0, %0, 1; }"
      : "=r"(r0)
      : "r"(a), "r"(b));
  put(r0);
  unsigned long long wide;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(0x123456789abcull));
  put(unsigned(wide));
  put(unsigned(wide >> 32));
  asm("{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %1; xor.b32 %0, lo, hi; }" : "=r"(r0) : "l"(wide));
  put(r0);
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r0) : "r"(a), "r"(b), "r"(0));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r1) : "r"(a), "r"(b), "r"(11));
  asm("vmax2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r2) : "r"(a), "r"(b), "r"(0));
  asm("vadd.s32.u32.s32.sat %0, %1.b1, %2.h0;" : "=r"(r3) : "r"(a), "r"(b));
  put(r0);
  put(r1);
  put(r2);
  put(r3);
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r0) : "r"(a), "r"(b), "r"(a ^ b));
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r1) : "r"(a), "r"(b), "r"(5));
  asm("cnot.b32 %0, %1;" : "=r"(r2) : "r"(a & 1));
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r3) : "r"(a), "r"(b));
  put(r0);
  put(r1);
  put(r2);
  put(r3);
  asm("set.gt.u32.s32 %0, %1, %2;" : "=r"(r0) : "r"(a), "r"(b));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r1) : "r"(a), "r"(b & 31));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r2) : "r"(a & 31), "r"(b & 31));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r3) : "r"(a), "r"(b), "r"(b));
  put(r0);
  put(r1);
  put(r2);
  put(r3);
  asm("{ .reg .pred p; .reg .u32 x; mov.u32 x, 0; setp.ge.u32 p, %1, %2; @p bra skip%=;"
      "  add.u32 x, %1, 7; skip%=: mov.u32 %0, x; }"
      : "=r"(r0)
      : "r"(a), "r"(b));
  put(r0);
}
