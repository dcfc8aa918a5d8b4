// Tests of lowering arithmetic, logic, comparisons, conversions and video instructions (SIMD within
// a register).

#include "lower_harness.h"

namespace heddle::code::test {
namespace {

TEST(LowerArithmetic, KeepsIntegerTypesAndConstants) {
  EXPECT_EQ(lowered("add.s32 %r1, %r2, -1;"), "add.s32 %r1 <- %r2, 0xffffffff");
  EXPECT_EQ(lowered("sub.u64 %d1, %d2, %d3;"), "sub.u64 %d1 <- %d2, %d3");
  EXPECT_EQ(lowered("add.sat.s32 %r1, %r2, %r3;"), "add.s32 %r1 <- %r2, %r3 sat");
  EXPECT_EQ(lowered("add.s16 %h1, %h2, -2;"), "add.s16 %h1 <- %h2, 0xfffe");
  EXPECT_EQ(lowered("min.s16x2 %r1, %r2, %r3;"), "min.s16x2 %r1 <- %r2, %r3");
}

TEST(LowerArithmetic, RoundsFloatingConstantsToInstructionType) {
  EXPECT_EQ(lowered("mul.rn.f32 %f1, %f2, 2.5;"), "mul_lo.f32 %f1 <- %f2, 0x40200000");
  EXPECT_EQ(lowered("mul.rn.f32 %f1, %f2, 0f40200000;"), "mul_lo.f32 %f1 <- %f2, 0x40200000");
  EXPECT_EQ(lowered("mul.rn.f64 %g1, %g2, 2.5;"), "mul_lo.f64 %g1 <- %g2, 0x4004000000000000:2");
}

TEST(LowerArithmetic, AllowsFusionOnlyWithoutRoundingSuffix) {
  EXPECT_EQ(lowered("mul.f32 %f1, %f2, %f3;"), "mul_lo.f32 %f1 <- %f2, %f3 contractible");
  EXPECT_EQ(lowered("add.f64 %g1, %g2, %g3;"), "add.f64 %g1 <- %g2, %g3 contractible");
  EXPECT_EQ(lowered("sub.ftz.f32 %f1, %f2, %f3;"), "sub.f32 %f1 <- %f2, %f3 ftz contractible");
  EXPECT_EQ(lowered("add.rn.f32 %f1, %f2, %f3;"), "add.f32 %f1 <- %f2, %f3");
  EXPECT_EQ(lowered("add.rz.f32 %f1, %f2, %f3;"), "add.f32 %f1 <- %f2, %f3 rounding=1");
  EXPECT_EQ(lowered("add.u32 %r1, %r2, %r3;"), "add.u32 %r1 <- %r2, %r3");
}

TEST(LowerArithmetic, TranslatesFmaAndFloatMadAlike) {
  EXPECT_EQ(lowered("fma.rn.ftz.sat.f32 %f1, %f2, %f3, %f4;"),
            "fma.f32 %f1 <- %f2, %f3, %f4 ftz sat");
  EXPECT_EQ(lowered("mad.rp.f64 %g1, %g2, %g3, %g4;"), "fma.f64 %g1 <- %g2, %g3, %g4 rounding=3");
  EXPECT_EQ(lowered("fma.rn.relu.f16x2 %r1, %r2, %r3, %r4;"),
            "fma.f16x2 %r1 <- %r2, %r3, %r4 relu");
}

TEST(LowerArithmetic, TranslatesLowHighAndWideProducts) {
  EXPECT_EQ(lowered("mul.lo.s32 %r1, %r2, %r3;"), "mul_lo.s32 %r1 <- %r2, %r3");
  EXPECT_EQ(lowered("mul.hi.u64 %d1, %d2, %d3;"), "mul_hi.u64 %d1 <- %d2, %d3");
  EXPECT_EQ(lowered("mul.wide.s32 %d1, %r2, 4;"), "mul_wide.s32 %d1 <- %r2, 0x4");
  EXPECT_EQ(lowered("mul.wide.u16 %r1, %h2, %h3;"), "mul_wide.u16 %r1 <- %h2, %h3");
  EXPECT_EQ(lowered("mad.wide.u32 %d1, %r2, 3, %d3;"), "mad_wide.u32 %d1 <- %r2, 0x3, %d3");
  EXPECT_EQ(lowered("mad.hi.sat.s32 %r1, %r2, %r3, %r4;"), "mad_hi.s32 %r1 <- %r2, %r3, %r4 sat");
  EXPECT_EQ(lowered("mul24.hi.u32 %r1, %r2, %r3;"), "mul24_hi.u32 %r1 <- %r2, %r3");
  EXPECT_EQ(lowered("mad24.lo.s32 %r1, %r2, %r3, %r4;"), "mad24_lo.s32 %r1 <- %r2, %r3, %r4");
}

TEST(LowerArithmetic, PassesCarryChainInOnePredicate) {
  EXPECT_EQ(lowered("add.cc.u32 %r1, %r2, %r3;\n"
                    "addc.cc.u32 %r4, %r5, %r6;\n"
                    "addc.u32 %r7, 0, 0;"),
            "add.u32 %r1, t0 <- %r2, %r3 carry_out\n"
            "add.u32 %r4, t0 <- %r5, %r6, t0 carry_in carry_out\n"
            "add.u32 %r7 <- 0x0, 0x0, t0 carry_in");
  EXPECT_EQ(lowered("sub.cc.u64 %d1, %d2, %d3;\nsubc.u64 %d4, %d5, %d6;"),
            "sub.u64 %d1, t0 <- %d2, %d3 carry_out\n"
            "sub.u64 %d4 <- %d5, %d6, t0 carry_in");
  EXPECT_EQ(lowered("mad.lo.cc.u32 %r1, %r2, %r3, %r4;\nmadc.hi.u32 %r5, %r2, %r3, %r6;"),
            "mad_lo.u32 %r1, t0 <- %r2, %r3, %r4 carry_out\n"
            "mad_hi.u32 %r5 <- %r2, %r3, %r6, t0 carry_in");
}

TEST(LowerArithmetic, KeepsDivisionAccuracy) {
  EXPECT_EQ(lowered("div.s32 %r1, %r2, %r3;"), "div.s32 %r1 <- %r2, %r3");
  EXPECT_EQ(lowered("div.rn.f32 %f1, %f2, %f3;"), "div.f32 %f1 <- %f2, %f3");
  EXPECT_EQ(lowered("div.approx.ftz.f32 %f1, %f2, %f3;"), "div.f32 %f1 <- %f2, %f3 ftz approx");
  EXPECT_EQ(lowered("div.full.f32 %f1, %f2, %f3;"), "div.f32 %f1 <- %f2, %f3 full");
  EXPECT_EQ(lowered("rem.u64 %d1, %d2, %d3;"), "rem.u64 %d1 <- %d2, %d3");
}

TEST(LowerArithmetic, TranslatesMathFunctions) {
  EXPECT_EQ(lowered("sqrt.rn.f32 %f1, %f2;"), "sqrt.f32 %f1 <- %f2");
  EXPECT_EQ(lowered("rsqrt.approx.ftz.f64 %g1, %g2;"), "rsqrt.f64 %g1 <- %g2 ftz approx");
  EXPECT_EQ(lowered("sin.approx.f32 %f1, %f2;"), "sin.f32 %f1 <- %f2 approx");
  EXPECT_EQ(lowered("ex2.approx.f16 %h1, %h2;"), "ex2.f16 %h1 <- %h2 approx");
  EXPECT_EQ(lowered("neg.ftz.f32 %f1, %f2;"), "neg.f32 %f1 <- %f2 ftz");
  EXPECT_EQ(lowered("abs.s64 %d1, %d2;"), "abs.s64 %d1 <- %d2");
  EXPECT_EQ(lowered("copysign.f32 %f1, %f2, %f3;"), "copysign.f32 %f1 <- %f2, %f3");
}

TEST(LowerArithmetic, TranslatesMinimumAndMaximum) {
  EXPECT_EQ(lowered("min.NaN.f32 %f1, %f2, %f3;"), "min.f32 %f1 <- %f2, %f3 NaN");
  EXPECT_EQ(lowered("max.ftz.xorsign.abs.f32 %f1, %f2, %f3;"),
            "max.f32 %f1 <- %f2, %f3 ftz xorsign");
}

TEST(LowerArithmetic, TranslatesBitCounts) {
  EXPECT_EQ(lowered("popc.b64 %r1, %d2;"), "popc.b64 %r1 <- %d2");
  EXPECT_EQ(lowered("clz.b32 %r1, %r2;"), "clz.b32 %r1 <- %r2");
  EXPECT_EQ(lowered("bfind.shiftamt.s64 %r1, %d2;"), "bfind.s64 %r1 <- %d2 shiftamt");
  EXPECT_EQ(lowered("brev.b64 %d1, %d2;"), "brev.b64 %d1 <- %d2");
}

TEST(LowerArithmetic, TakesBitFieldPositionsAs32Bits) {
  EXPECT_EQ(lowered("bfe.s64 %d1, %d2, %r3, 8;"), "bfe.s64 %d1 <- %d2, %r3, 0x8");
  EXPECT_EQ(lowered("bfi.b64 %d1, %d2, %d3, 4, %r5;"), "bfi.b64 %d1 <- %d2, %d3, 0x4, %r5");
  EXPECT_EQ(lowered("bmsk.wrap.b32 %r1, %r2, %r3;"), "bmsk.b32 %r1 <- %r2, %r3 wrap");
  EXPECT_EQ(lowered("szext.clamp.s32 %r1, %r2, 8;"), "szext.s32 %r1 <- %r2, 0x8");
  EXPECT_EQ(lowered("fns.b32 %r1, %r2, %r3, -1;"), "fns.b32 %r1 <- %r2, %r3, 0xffffffff");
  EXPECT_EQ(lowered("sad.u32 %r1, %r2, %r3, %r4;"), "sad.u32 %r1 <- %r2, %r3, %r4");
}

TEST(LowerArithmetic, KeepsSignednessOfDotProductOperands) {
  EXPECT_EQ(lowered("dp4a.u32.s32 %r1, %r2, %r3, %r4;"), "dp4a.u32.s32 %r1 <- %r2, %r3, %r4");
  EXPECT_EQ(lowered("dp2a.hi.s32.u32 %r1, %r2, %r3, %r4;"),
            "dp2a.s32.u32 %r1 <- %r2, %r3, %r4 high");
}

TEST(LowerLogic, TranslatesLogicOnRegistersAndPredicates) {
  EXPECT_EQ(lowered("and.b32 %r1, %r2, 0xff;"), "and.b32 %r1 <- %r2, 0xff");
  EXPECT_EQ(lowered("xor.pred %p1, %p2, %p3;"), "predicate_xor.pred %p1 <- %p2, %p3");
  EXPECT_EQ(lowered("not.pred %p1, %p2;"), "predicate_not.pred %p1 <- %p2");
  EXPECT_EQ(lowered("not.b64 %d1, %d2;"), "not.b64 %d1 <- %d2");
  EXPECT_EQ(lowered("cnot.b32 %r1, %r2;"), "cnot.b32 %r1 <- %r2");
}

TEST(LowerLogic, TakesShiftAmountAs32Bits) {
  EXPECT_EQ(lowered("shl.b64 %d1, %d2, 3;"), "shl.b64 %d1 <- %d2, 0x3");
  EXPECT_EQ(lowered("shr.s16 %h1, %h2, %r3;"), "shr.s16 %h1 <- %h2, %r3");
  EXPECT_EQ(lowered("shf.l.wrap.b32 %r1, %r2, %r3, %r4;"), "shf_l.b32 %r1 <- %r2, %r3, %r4 wrap");
  EXPECT_EQ(lowered("shf.r.clamp.b32 %r1, %r2, %r3, %r4;"), "shf_r.b32 %r1 <- %r2, %r3, %r4");
}

TEST(LowerLogic, KeepsLop3TableAndOptionalPredicate) {
  EXPECT_EQ(lowered("lop3.b32 %r1, %r2, %r3, %r4, 0x96;"),
            "lop3.b32 %r1 <- %r2, %r3, %r4 table=150");
  EXPECT_EQ(lowered("lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x96, %p2;"),
            "lop3.b32 %r1, %p1 <- %r2, %r3, %r4, %p2 boolean=2 table=150");
  EXPECT_EQ(lowered("prmt.b32.rc8 %r1, %r2, %r3, %r4;"), "prmt.b32 %r1 <- %r2, %r3, %r4 mode=3");
}

TEST(LowerCompare, WritesOneOrTwoPredicates) {
  EXPECT_EQ(lowered("setp.lt.s32 %p1, %r2, %r3;"), "setp.s32 %p1 <- %r2, %r3 comparison=2");
  EXPECT_EQ(lowered("setp.eq.u32 %p1|%p2, %r2, 7;"), "setp.u32 %p1, %p2 <- %r2, 0x7");
  EXPECT_EQ(lowered("setp.hi.u64 %p1, %d2, %d3;"), "setp.u64 %p1 <- %d2, %d3 comparison=4");
  EXPECT_EQ(lowered("setp.geu.ftz.f32 %p1, %f2, 0f00000000;"),
            "setp.f32 %p1 <- %f2, 0x0 ftz comparison=11");
  EXPECT_EQ(lowered("setp.ne.and.s32 %p1, %r2, %r3, !%p4;"),
            "setp.s32 %p1 <- %r2, %r3, !%p4 comparison=1 boolean=1");
}

TEST(LowerCompare, KeepsBothTypesOfSet) {
  EXPECT_EQ(lowered("set.gt.f32.s32 %f1, %r2, %r3;"), "set.f32.s32 %f1 <- %r2, %r3 comparison=4");
  EXPECT_EQ(lowered("set.le.xor.u32.f32 %r1, %f2, %f3, %p1;"),
            "set.u32.f32 %r1 <- %f2, %f3, %p1 comparison=3 boolean=3");
  EXPECT_EQ(lowered("testp.notanumber.f32 %p1, %f2;"), "testp.f32 %p1 <- %f2 test=3");
}

TEST(LowerCompare, SelectsByPredicateOrSign) {
  EXPECT_EQ(lowered("selp.b32 %r1, %r2, 5, %p1;"), "select.b32 %r1 <- %r2, 0x5, %p1");
  EXPECT_EQ(lowered("slct.u64.s32 %d1, %d2, %d3, %r4;"),
            "select_sign.u64.s32 %d1 <- %d2, %d3, %r4");
}

TEST(LowerConvert, KeepsBothTypes) {
  EXPECT_EQ(lowered("cvt.rn.f32.s32 %f1, %r2;"), "convert.f32.s32 %f1 <- %r2");
  EXPECT_EQ(lowered("cvt.rzi.ftz.s32.f32 %r1, %f2;"), "convert.s32.f32 %r1 <- %f2 integral=2 ftz");
  EXPECT_EQ(lowered("cvt.sat.u8.s32 %r1, %r2;"), "convert.u8.s32 %r1 <- %r2 sat");
  EXPECT_EQ(lowered("cvt.rn.relu.f16x2.f32 %r1, %f2, %f3;"),
            "convert.f16x2.f32 %r1 <- %f2, %f3 relu");
  EXPECT_EQ(lowered("cvt.rna.tf32.f32 %r1, %f2;"), "convert.tf32.f32 %r1 <- %f2 rounding=4");
}

TEST(LowerConvert, ExtendsResultToWiderDestination) {
  EXPECT_EQ(lowered("cvt.s16.s32 %d1, %r2;"),
            "convert.s16.s32 t0 <- %r2\n"
            "convert.s64.s32 %d1 <- t0");
  EXPECT_EQ(lowered("@%p1 cvt.u32.u16 %d1, %h2;"),
            "convert.u32.u16 t0 <- %h2\n"
            "@%p1 convert.u64.u32 %d1 <- t0");
}

TEST(LowerConvert, SplitsPackedSaturation) {
  EXPECT_EQ(lowered("cvt.pack.sat.s16.s32 %r1, %r2, %r3;"),
            "convert.s16.s32 t0 <- %r2 sat\n"
            "convert.s16.s32 t1 <- %r3 sat\n"
            "pack.b32 %r1 <- t1, t0");
  EXPECT_EQ(lowered("cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;"),
            "convert.u8.s32 t0 <- %r2 sat\n"
            "convert.u8.s32 t1 <- %r3 sat\n"
            "prmt.b32 t2 <- t1, t0, 0x40\n"
            "prmt.b32 %r1 <- t2, %r4, 0x5410");
}

TEST(LowerVideo, ReadsScalarSelectors) {
  const CompilationUnit unit =
      lower_text(kernel_around("vadd.s32.u32.s32.sat.max %r1, %r2.b3, %r3.h1, %r4;\n"
                               "vmad.u32.u32.u32.po.shr15 %r1, %r2.h0, %r3, %r4;\n"
                               "vmad.s32.s32.s32 %r1, -%r2.b1, %r3.b2, %r4;\n"
                               "vset.u32.s32.lt %r1.h1, %r2, %r3.b0, %r4;"));
  const auto& code = unit.bodies[0].blocks[0].instructions;
  EXPECT_EQ(code[0].video.operation, VideoOperation::add);
  EXPECT_EQ(code[0].video.lanes, 1);
  EXPECT_EQ(code[0].video.a_select, 3);
  EXPECT_EQ(code[0].video.b_select, 5);
  EXPECT_EQ(code[0].video.d_select, 0xff);
  EXPECT_FALSE(code[0].video.a_signed);
  EXPECT_TRUE(code[0].video.b_signed);
  EXPECT_TRUE(code[0].video.d_signed);
  EXPECT_TRUE(code[0].video.saturate);
  EXPECT_EQ(code[0].video.secondary, VideoFields::Secondary::max);
  EXPECT_EQ(code[0].sources.size(), 3U);
  EXPECT_TRUE(code[1].video.plus_one);
  EXPECT_EQ(code[1].video.scale, 15);
  EXPECT_EQ(code[1].video.a_select, 4);
  EXPECT_TRUE(code[2].video.negate_product);
  EXPECT_FALSE(code[2].video.negate_addend);
  EXPECT_EQ(code[3].video.operation, VideoOperation::set);
  EXPECT_EQ(code[3].comparison, Comparison::less);
  EXPECT_FALSE(code[3].video.a_signed);
  EXPECT_TRUE(code[3].video.b_signed);
  EXPECT_EQ(code[3].video.d_select, 5);
}

TEST(LowerVideo, ReadsPerLaneSelectors) {
  const CompilationUnit unit =
      lower_text(kernel_around("vadd4.u32.u32.u32 %r1, %r2, %r3, %r4;\n"
                               "vabsdiff4.u32.u32.u32.add %r1.b31, %r2.b7610, %r3.b0123, %r4;\n"
                               "vavrg2.s32.s32.s32 %r1.h1, %r2.h20, %r3.h13, %r4;"));
  const auto& code = unit.bodies[0].blocks[0].instructions;
  EXPECT_EQ(code[0].video.a_lanes, 0x3210);
  EXPECT_EQ(code[0].video.b_lanes, 0x7654);
  EXPECT_EQ(code[0].video.d_mask, 0xf);
  EXPECT_EQ(code[1].video.operation, VideoOperation::absolute_difference);
  EXPECT_EQ(code[1].video.a_lanes, 0x7610);
  EXPECT_EQ(code[1].video.b_lanes, 0x0123);
  EXPECT_EQ(code[1].video.d_mask, 0b1010);
  EXPECT_EQ(code[1].video.secondary, VideoFields::Secondary::add);
  EXPECT_EQ(code[2].video.lanes, 2);
  EXPECT_EQ(code[2].video.a_lanes, 0x20);
  EXPECT_EQ(code[2].video.b_lanes, 0x13);
  EXPECT_EQ(code[2].video.d_mask, 0b10);
}

}  // namespace
}  // namespace heddle::code::test
