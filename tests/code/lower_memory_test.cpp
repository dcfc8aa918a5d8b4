// Tests of lowering parameters, memory accesses, addresses and moves.

#include "lower_harness.h"

namespace heddle::code::test {
namespace {

TEST(LowerParameters, ReadsAlignedParametersAsLaunchConstants) {
  // Parameters begin at constant address 0x160: `in` at offset 0, `n` at 8, `s` at 12.
  EXPECT_EQ(lowered("ld.param.u64 %d1, [in];"), "move.b64 %d1 <- c[0x160]:2");
  EXPECT_EQ(lowered("ld.param.u32 %r1, [n];"), "move.b32 %r1 <- c[0x168]");
  EXPECT_EQ(lowered("ld.param.f32 %f1, [s+8];"), "move.b32 %f1 <- c[0x174]");
}

TEST(LowerParameters, ExtendsNarrowLoadToWideRegister) {
  EXPECT_EQ(lowered("ld.param.u32 %d1, [n];"), "convert.u64.u32 %d1 <- c[0x168]");
  EXPECT_EQ(lowered("ld.param.s32 %d1, [n];"), "convert.s64.s32 %d1 <- c[0x168]");
  EXPECT_EQ(lowered("ld.param.s8 %r1, [s+3];"), "load.s8 %r1 <- _ parameter offset=15");
}

TEST(LowerParameters, ReadsVectorIn32BitParts) {
  EXPECT_EQ(lowered("ld.param.v2.u32 {%r1, %r2}, [s+4];"),
            "move.b32 %r1 <- c[0x170]\nmove.b32 %r2 <- c[0x174]");
  EXPECT_EQ(lowered("ld.param.v2.u16 {%h1, %h2}, [s];"),
            "load.u16 %h1, %h2 <- _ parameter vector=2 offset=12");
}

TEST(LowerParameters, UsesOffsetInParameterAreaAsAddress) {
  EXPECT_EQ(lowered("mov.b64 %d1, s;\nld.param.u32 %r1, [%d1+4];"),
            "move.b64 %d1 <- 0xc:2\nload.u32 %r1 <- %d1 parameter offset=4");
  EXPECT_EQ(lowered("mov.b64 %d1, s;\ncvta.param.u64 %d2, %d1;"),
            "move.b64 %d1 <- 0xc:2\nconvert_address.u64 %d2 <- %d1 parameter");
}

TEST(LowerParameters, RejectsReadBeyondParameters) {
  EXPECT_NE(refusal("ld.param.u64 %d1, [s+12];"), "");
  EXPECT_EQ(refusal("ld.param.u32 %r1, [s+8];"), "");
}

TEST(LowerParameters, AlignsEachParameter) {
  const CompilationUnit unit = lower_text(
      ".visible .entry k(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[20]) "
      "{ ret; }");
  const FunctionInfo& info = unit.program.functions[0];
  ASSERT_EQ(info.parameters.size(), 4U);
  EXPECT_EQ(info.parameters[0].offset, 0U);
  EXPECT_EQ(info.parameters[1].offset, 8U);
  EXPECT_EQ(info.parameters[2].offset, 16U);
  EXPECT_EQ(info.parameters[3].offset, 32U);
  EXPECT_EQ(info.parameters[3].size, 20U);
  EXPECT_EQ(info.parameter_bytes, 52U);
  EXPECT_EQ(info.constant_bytes, 52U);
}

TEST(LowerMemory, KeepsSpaceOffsetAndWidth) {
  EXPECT_EQ(lowered("ld.global.u32 %r1, [%d1+-4];"), "load.u32 %r1 <- %d1 global offset=-4");
  EXPECT_EQ(lowered("ld.u8 %h1, [%d1];"), "load.u8 %h1 <- %d1");
  EXPECT_EQ(lowered("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1+16];"),
            "load.f32 %f1, %f2, %f3, %f4 <- %d1 global vector=4 cache=5 offset=16");
  EXPECT_EQ(lowered("st.shared.v2.u8 [%r1+2], {%h1, %h2};"),
            "store.u8 <- %r1, %h1, %h2 shared vector=2 offset=2");
  EXPECT_EQ(lowered("st.global.f32 [%d1], 0f3F800000;"), "store.f32 <- %d1, 0x3f800000 global");
  EXPECT_EQ(lowered("ld.global.b32 %r1, [4096];"), "load.b32 %r1 <- 0x1000:2 global");
}

TEST(LowerMemory, KeepsOrderScopeAndCacheOperator) {
  EXPECT_EQ(lowered("ld.acquire.gpu.global.u32 %r1, [%d1];"),
            "load.u32 %r1 <- %d1 global order=3 scope=3");
  EXPECT_EQ(lowered("st.release.sys.global.u32 [%d1], %r1;"),
            "store.u32 <- %d1, %r1 global order=4 scope=4");
  EXPECT_EQ(lowered("ld.volatile.shared.u32 %r1, [%r2];"), "load.u32 %r1 <- %r2 shared order=1");
  EXPECT_EQ(lowered("ld.global.cg.u32 %r1, [%d1];"), "load.u32 %r1 <- %d1 global cache=1");
  EXPECT_EQ(lowered("ld.global.L1::evict_last.u32 %r1, [%d1];"), "load.u32 %r1 <- %d1 global");
}

TEST(LowerMemory, AddsOffsetThatDoesNotFit) {
  EXPECT_EQ(lowered("ld.global.u32 %r1, [%d1+2147483648];"),
            "add.u64 t0 <- %d1, 0x80000000:2\nload.u32 %r1 <- t0 global");
  EXPECT_EQ(lowered("ld.shared.u32 %r1, [%r2+4294967292];"),
            "load.u32 %r1 <- %r2 shared offset=-4");
}

TEST(LowerMemory, RejectsStoresToConstantMemoryAndParameters) {
  EXPECT_NE(refusal("st.param.u32 [n], %r1;"), "");
  EXPECT_NE(refusal("st.u32 [c], %r1;", ".const .u32 c;\n"), "");
}

TEST(LowerMemory, TranslatesAtomics) {
  EXPECT_EQ(lowered("atom.global.add.u32 %r1, [%d1+8], 1;"),
            "atomic.u32 %r1 <- %d1, 0x1 global order=2 scope=3 offset=8");
  EXPECT_EQ(lowered("atom.shared.cas.b64 %d1, [%r1], %d2, %d3;"),
            "atomic.b64 %d1 <- %r1, %d2, %d3 shared reduction=9 order=2 scope=3");
  EXPECT_EQ(lowered("atom.acq_rel.sys.global.exch.b32 _, [%d1], %r2;"),
            "atomic.b32 _ <- %d1, %r2 global reduction=8 order=5 scope=4");
  EXPECT_EQ(lowered("red.global.add.noftz.f16x2 [%d1], %r1;"),
            "atomic.f16x2 <- %d1, %r1 global order=2 scope=3");
  EXPECT_EQ(lowered("red.relaxed.gpu.global.max.s64 [%d1], %d2;"),
            "atomic.s64 <- %d1, %d2 global reduction=5 order=2 scope=3");
  EXPECT_EQ(lowered("atom.global.v2.f32.add {%f1, %f2}, [%d1], {%f3, %f4};"),
            "atomic.f32 %f1, %f2 <- %d1, %f3, %f4 global vector=2 order=2 scope=3");
}

TEST(LowerMemory, TranslatesAsynchronousCopies) {
  EXPECT_EQ(lowered("cp.async.ca.shared.global [%r1+4], [%d1+8], 8;"),
            "add.u64 t0 <- %d1, 0x8:2\n"
            "copy_async <- %r1, t0 shared bytes=8 offset=4");
  EXPECT_EQ(lowered("cp.async.cg.shared.global.L2::128B [%r1], [%d1], 16, %r2;"),
            "copy_async <- %r1, %d1, %r2 shared cache=1 bytes=16");
  EXPECT_EQ(lowered("cp.async.commit_group;\ncp.async.wait_group 2;\ncp.async.wait_all;"),
            "copy_async_wait\ncopy_async_wait <- 0x2 wait=1\ncopy_async_wait wait=2");
}

TEST(LowerMemory, TranslatesHintsWithoutEffectOnValues) {
  EXPECT_EQ(lowered("prefetch.global.L2 [%d1+64];"), "prefetch <- %d1 global cache=1 offset=64");
  EXPECT_EQ(lowered("discard.global.L2 [%d1], 128;"), "");
  EXPECT_EQ(lowered("createpolicy.fractional.L2::evict_last.b64 %d1, 1.0;"),
            "move.b64 %d1 <- 0x0:2");
}

TEST(LowerMemory, KeepsFenceScope) {
  EXPECT_EQ(lowered("membar.gl;"), "fence order=5 scope=3");
  EXPECT_EQ(lowered("membar.cta;"), "fence order=5 scope=1");
  EXPECT_EQ(lowered("fence.sc.sys;"), "fence order=5 scope=4");
  EXPECT_EQ(lowered("fence.acq_rel.gpu;"), "fence order=5 scope=3");
}

TEST(LowerAddresses, ConvertsToAndFromGenericAddresses) {
  EXPECT_EQ(lowered("cvta.to.global.u64 %d1, %d2;"),
            "convert_address.u64 %d1 <- %d2 global to_space");
  EXPECT_EQ(lowered("cvta.shared.u64 %d1, %d2;"), "convert_address.u64 %d1 <- %d2 shared");
  EXPECT_EQ(lowered("isspacep.shared %p1, %d1;"), "is_space.u64 %p1 <- %d1 shared");
  EXPECT_EQ(lowered("isspacep.local %p1, %d1;"), "is_space.u64 %p1 <- %d1 local");
}

TEST(LowerAddresses, NamesModuleVariablesInOperands) {
  const std::string variables =
      ".global .align 4 .u32 g[4];\n.const .align 4 .f32 c[4];\n.shared .align 4 .u32 s0[4];\n";
  EXPECT_EQ(lowered("mov.u64 %d1, g;", variables), "move.b64 %d1 <- g:2");
  EXPECT_EQ(lowered("mov.u64 %d1, g+8;", variables), "move.b64 %d1 <- g+0x8:2");
  EXPECT_EQ(lowered("cvta.global.u64 %d1, g;", variables), "move.b64 %d1 <- generic g:2");
  EXPECT_EQ(lowered("ld.const.f32 %f1, [c+4];", variables),
            "load.f32 %f1 <- c:2 constant offset=4");
  EXPECT_EQ(lowered("mov.u32 %r1, s0;", variables), "move.b32 %r1 <- s0");
  EXPECT_EQ(lowered("cvta.shared.u64 %d1, s0;", variables),
            "convert_address.u64 %d1 <- s0:2 shared");
  EXPECT_EQ(lowered("st.shared.u32 [s0+12], %r1;", variables),
            "store.u32 <- s0, %r1 shared offset=12");
  EXPECT_EQ(lowered("atom.shared.inc.u32 %r1, [s0], %r2;", variables),
            "atomic.u32 %r1 <- s0, %r2 shared reduction=6 order=2 scope=3");
}

TEST(LowerAddresses, PlacesKernelLocalsAtStackStart) {
  const std::string variables = ".local .align 8 .b8 depot[20];\n.local .align 16 .b8 more[16];\n";
  EXPECT_EQ(lowered(variables + "mov.u64 %d1, more;"), "move.b64 %d1 <- 0x20:2");
  EXPECT_EQ(lowered(variables + "st.local.u32 [more+4], %r1;"),
            "store.u32 <- _, %r1 local offset=36");
  EXPECT_EQ(lowered(variables + "ld.local.u32 %r1, [%d1+4];"),
            "load.u32 %r1 <- %d1 local offset=4");
  const CompilationUnit unit = lower_text(kernel_around(variables));
  EXPECT_EQ(unit.bodies[0].frame_bytes, 48U);
}

TEST(LowerAddresses, PlacesDeviceFunctionLocalsInFrame) {
  const std::string text =
      ".visible .func f(.param .b32 a) {\n"
      ".reg .b64 %d<4>; .reg .b32 %r<4>;\n.local .align 8 .b8 depot[8];\n"
      "mov.u64 %d1, depot;\ncvta.local.u64 %d2, %d1;\nst.local.u32 [depot+4], %r1;\n"
      "mov.u32 %r2, depot+4;\nret;\n}\n";
  EXPECT_EQ(lowered_function(text, "f"),
            "read_special.u32 t0 special=25\n"
            "add.u32 t1 <- t0, 0x8\n"
            "convert.u64.u32 t2 <- t1\n"
            "move.b64 %d1 <- t2\n"
            "convert_address.u64 %d2 <- %d1 local\n"
            "store.u32 <- _, %r1 local offset=12\n"
            "read_special.u32 t3 special=25\n"
            "add.u32 t4 <- t3, 0xc\n"
            "move.b32 %r2 <- t4\n"
            "ret\n");
}

TEST(LowerMoves, PacksAndUnpacksValues) {
  EXPECT_EQ(lowered("mov.b64 %d1, {%r1, %r2};"), "pack.b64 %d1 <- %r1, %r2");
  EXPECT_EQ(lowered("mov.b64 {%r1, _}, %d1;"), "unpack.b64 %r1, _ <- %d1");
  EXPECT_EQ(lowered("mov.b32 {%h1, %h2}, %r1;"), "unpack.b32 %h1, %h2 <- %r1");
  EXPECT_EQ(lowered("mov.b64 %d1, {%h1, %h2, %h3, %h4};"), "pack.b64 %d1 <- %h1, %h2, %h3, %h4");
}

TEST(LowerMoves, ReadsSpecialRegistersOrLaunchConstants) {
  EXPECT_EQ(lowered("mov.u32 %r1, %tid.y;"), "read_special.u32 %r1 special=1");
  EXPECT_EQ(lowered("mov.u32 %r1, %tid.x;"), "read_special.u32 %r1 special=0");
  EXPECT_EQ(lowered("mov.u32 %r1, %ntid.x;"), "move.b32 %r1 <- c[0x0]");
  EXPECT_EQ(lowered("mov.u32 %r1, %nctaid.z;"), "move.b32 %r1 <- c[0x14]");
  EXPECT_EQ(lowered("mov.u64 %d1, %clock64;"), "read_special.u64 %d1 special=19");
  EXPECT_EQ(lowered("mov.u64 %d1, %gridid;"), "read_special.u64 %d1 special=11");
  EXPECT_EQ(lowered("cvt.s64.s32 %d1, %tid.x;"),
            "read_special.u32 t0 special=0\nconvert.s64.s32 %d1 <- t0");
}

TEST(LowerMoves, MovesPredicatesAndConstants) {
  EXPECT_EQ(lowered("mov.pred %p1, %p2;"), "predicate_move.pred %p1 <- %p2");
  EXPECT_EQ(lowered("mov.pred %p1, 1;"), "predicate_move.pred %p1 <- 0x1");
  EXPECT_EQ(lowered("mov.f32 %f1, 0f3F800000;"), "move.b32 %f1 <- 0x3f800000");
  EXPECT_EQ(lowered("mov.b64 %d1, -1;"), "move.b64 %d1 <- 0xffffffffffffffff:2");
  EXPECT_EQ(lowered("@!%p1 mov.b32 %r1, %r2;"), "@!%p1 move.b32 %r1 <- %r2");
}

}  // namespace
}  // namespace heddle::code::test
