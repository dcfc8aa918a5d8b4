// Tests of lowering calls: where arguments and results lie.

#include "lower_harness.h"

namespace heddle::code::test {
namespace {

/// A function with parameters of 4, 8 and 12 bytes and a result of 8 bytes.
constexpr const char* kCallee =
    ".visible .func (.param .align 4 .b8 out[8]) f(.param .b32 a, .param .b64 b,"
    " .param .align 4 .b8 c[12])\n"
    "{\n.reg .b32 %r<5>; .reg .b64 %d<5>;\n"
    "ld.param.b32 %r1, [a];\nld.param.b64 %d1, [b];\nld.param.b32 %r2, [c+8];\n"
    "st.param.b32 [out+4], %r2;\nret;\n}\n";

TEST(LowerCalls, PlacesParametersThenResultsAtFrameStart) {
  EXPECT_EQ(lowered_function(kCallee, "f"),
            "load.b32 %r1 <- _ local\n"
            "load.b64 %d1 <- _ local offset=8\n"
            "load.b32 %r2 <- _ local offset=24\n"
            "store.b32 <- _, %r2 local offset=32\n"
            "ret\n");
  const CompilationUnit unit = lower_text(kCallee);
  // a at 0, b at 8, c at 16, out at 28: 36 bytes, rounded up to a multiple of 16.
  EXPECT_EQ(unit.bodies[0].frame_bytes, 48U);
  EXPECT_FALSE(unit.bodies[0].is_kernel);
}

TEST(LowerCalls, StoresArgumentsDirectlyToCalleeFrame) {
  EXPECT_EQ(lowered("{\n.param .b32 p0; .param .b64 p1; .param .align 4 .b8 p2[12];"
                    " .param .align 4 .b8 q[8];\n"
                    "st.param.b32 [p0], %r1;\nst.param.b64 [p1], %d1;\n"
                    "st.param.v2.b32 [p2+4], {%r2, %r3};\n"
                    "call.uni (q), f, (p0, p1, p2);\n"
                    "ld.param.b32 %r4, [q+4];\n}",
                    kCallee),
            "store.b32 <- _, %r1 local outgoing\n"
            "store.b64 <- _, %d1 local outgoing offset=8\n"
            "store.b32 <- _, %r2, %r3 local vector=2 outgoing offset=20\n"
            "call -> f\n"
            "load.b32 %r4 <- _ local outgoing offset=32");
}

constexpr const char* kSquare =
    ".visible .func (.param .b32 out) f(.param .b32 a) {\n.reg .b32 %r<3>;\n"
    "ld.param.b32 %r1, [a];\nmul.lo.s32 %r2, %r1, %r1;\nst.param.b32 [out], %r2;\nret;\n}\n";

TEST(LowerCalls, CopiesArgumentThatTwoCallsUse) {
  EXPECT_EQ(lowered(".param .b32 p; .param .b32 q;\n"
                    "st.param.b32 [p], %r1;\ncall (q), f, (p);\nld.param.b32 %r2, [q];\n"
                    "call (q), f, (p);\nld.param.b32 %r3, [q];",
                    kSquare),
            "store.b32 <- _, %r1 local\n"
            "load.b32 t0 <- _ local\n"
            "store.b32 <- _, t0 local outgoing\n"
            "call -> f\n"
            "load.b32 t1 <- _ local outgoing offset=4\n"
            "store.b32 <- _, t1 local offset=4\n"
            "load.b32 %r2 <- _ local offset=4\n"
            "load.b32 t2 <- _ local\n"
            "store.b32 <- _, t2 local outgoing\n"
            "call -> f\n"
            "load.b32 t3 <- _ local outgoing offset=4\n"
            "store.b32 <- _, t3 local offset=4\n"
            "load.b32 %r3 <- _ local offset=4");
}

TEST(LowerCalls, KeepsArgumentInFrameAcrossAnotherCall) {
  const std::string out = lowered(
      ".param .b32 p; .param .b32 q; .param .b32 r; .param .b32 s;\n"
      "st.param.b32 [p], %r1;\nst.param.b32 [r], %r2;\n"
      "call (s), f, (r);\ncall (q), f, (p);\nld.param.b32 %r3, [q];",
      kSquare);
  EXPECT_EQ(out,
            "store.b32 <- _, %r1 local\n"           // p is kept in the caller's frame.
            "store.b32 <- _, %r2 local outgoing\n"  // r is stored to the callee's frame.
            "call -> f\n"
            "load.b32 t0 <- _ local\n"
            "store.b32 <- _, t0 local outgoing\n"
            "call -> f\n"
            "load.b32 %r3 <- _ local outgoing offset=4");
}

TEST(LowerCalls, SavesResultBeforeNextArgumentOverwritesIt) {
  const std::string out = lowered(
      ".param .b32 p; .param .b32 q; .param .b32 r; .param .b32 s;\n"
      "st.param.b32 [p], %r1;\ncall (q), f, (p);\n"
      "st.param.b32 [r], %r2;\nld.param.b32 %r3, [q];\ncall (s), f, (r);",
      kSquare);
  EXPECT_EQ(out,
            "store.b32 <- _, %r1 local outgoing\n"
            "call -> f\n"
            "load.b32 t0 <- _ local outgoing offset=4\n"
            "store.b32 <- _, t0 local\n"
            "store.b32 <- _, %r2 local outgoing\n"
            "load.b32 %r3 <- _ local\n"
            "call -> f");
}

TEST(LowerCalls, KeepsArgumentInFrameIfStoredOnOnePath) {
  const std::string out = lowered(
      ".param .b32 p; .param .b32 q;\nst.param.b32 [p], %r1;\n@%p1 bra L;\n"
      "st.param.b32 [p], %r2;\nL:\ncall (q), f, (p);",
      kSquare);
  EXPECT_EQ(out.find("outgoing\n-- 1"), std::string::npos) << out;
  EXPECT_NE(out.find("load.b32 t0 <- _ local\nstore.b32 <- _, t0 local outgoing\ncall"),
            std::string::npos)
      << out;
}

TEST(LowerCalls, PassesRegistersAndConstantsInParameterType) {
  const std::string callee =
      ".visible .func (.reg .b32 r) g(.reg .b32 a, .reg .b64 b) {\nadd.u32 r, a, 1;\nret;\n}\n";
  EXPECT_EQ(lowered("call (%r1), g, (%r2, 5);", callee),
            "store.b32 <- _, %r2 local outgoing\n"
            "store.b64 <- _, 0x5:2 local outgoing offset=8\n"
            "call -> g\n"
            "load.b32 %r1 <- _ local outgoing offset=16");
  const std::string function = lowered_function(callee, "g");
  EXPECT_EQ(function.find("load.b32 a <- _ local\n"), 0U) << function;
  EXPECT_NE(function.find("add.u32 r <- a, 0x1\nstore.b32 <- _, r local offset=16\nret\n"),
            std::string::npos)
      << function;
}

TEST(LowerCalls, PassesPredicateAs32BitsAndVectorAsElements) {
  EXPECT_EQ(lowered("{\n.reg .v2 .b32 v;\ncall (%p2), g, (%p1, v);\n}",
                    ".visible .func (.reg .pred r) g(.reg .pred a, .reg .v2 .b32 b) { ret; }\n"),
            "select.u32 t0 <- 0x1, 0x0, %p1\n"
            "store.u32 <- _, t0 local outgoing\n"
            "store.b32 <- _, v.x local outgoing offset=8\n"
            "store.b32 <- _, v.y local outgoing offset=12\n"
            "call -> g\n"
            "load.u32 t1 <- _ local outgoing offset=16\n"
            "setp.u32 %p2 <- t1, 0x0 comparison=1");
}

TEST(LowerCalls, RejectsVectorOfWrongLength) {
  EXPECT_NE(refusal("{\n.reg .v2 .b32 v;\ncall g, (v);\n}",
                    ".visible .func g(.reg .v4 .b32 a) { ret; }\n")
                .find("shape (scalar, vector, structure) differs"),
            std::string::npos);
}

TEST(LowerCalls, PlacesIndirectCallArgumentsByPrototype) {
  const std::string out = lowered(
      "{\n.param .b32 p; .param .b32 q;\nmov.u64 %d1, f;\nst.param.b32 [p], %r1;\n"
      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (q), %d1, (p), P;\nld.param.b32 %r2, [q];\n}",
      kSquare);
  EXPECT_EQ(out,
            "move.b64 %d1 <- &f:2\n"
            "store.b32 <- _, %r1 local outgoing\n"
            "call_indirect <- %d1\n"
            "load.b32 %r2 <- _ local outgoing offset=4");
}

TEST(LowerCalls, PassesSystemCallArgumentsInRegisters) {
  EXPECT_EQ(lowered("{\n.param .b64 p0; .param .b64 p1; .param .b32 q;\n"
                    "st.param.b64 [p0], %d1;\nst.param.b64 [p1], 0;\n"
                    "call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r1, [q];\n}",
                    ".extern .func (.param .b32 q) vprintf(.param .b64 a, .param .b64 b);\n"),
            "move.b64 t0 <- %d1\n"
            "move.b64 t1 <- 0x0:2\n"
            "system_call.s32 t2 <- t0, t1\n"
            "move.b32 %r1 <- t2");
  EXPECT_EQ(lowered("{\n.param .b64 p; .param .b64 q;\nst.param.b64 [p], %d1;\n"
                    "call (q), malloc, (p);\nld.param.b64 %d2, [q];\n}",
                    ".extern .func (.param .b64 q) malloc(.param .b64 a);\n"),
            "move.b64 t0 <- %d1\nsystem_call.u64 t1 <- t0 call=2\nmove.b64 %d2 <- t1");
}

TEST(LowerCalls, CallsUserDefinedMallocLikeAnyFunction) {
  EXPECT_EQ(lowered("call (%d1), malloc, (%d2);",
                    ".func (.reg .b64 q) malloc(.reg .b64 a) {\nmov.b64 q, a;\nret;\n}\n"),
            "store.b64 <- _, %d2 local outgoing\n"
            "call -> malloc\n"
            "load.b64 %d1 <- _ local outgoing offset=8");
}

TEST(LowerCalls, RejectsCallOfUndefinedFunction) {
  const std::string why = refusal("call mystery;", ".extern .func mystery;\n");
  EXPECT_NE(why.find("mystery"), std::string::npos) << why;
  EXPECT_NE(why.find("no module defines"), std::string::npos) << why;
}

TEST(LowerCalls, RecordsEachCalleeOnce) {
  const CompilationUnit unit = lower_text(
      kernel_around("call f;\ncall f;\ncall g;", ".func f() { ret; }\n.func g() { ret; }\n"));
  const FunctionInfo& k = unit.program.functions[function_index(unit, "k")];
  EXPECT_EQ(k.callees,
            (std::vector<std::uint32_t>{function_index(unit, "f"), function_index(unit, "g")}));
  EXPECT_FALSE(k.calls_indirectly);
}

}  // namespace
}  // namespace heddle::code::test
