// Tests of the parser for instructions: suffixes, operands, and checks of their combination.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <utility>

#include "ptx/parse_text.h"

namespace heddle::ptx::test {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

/// Parses a body with exactly one instruction.
class SingleInstruction {
 public:
  explicit SingleInstruction(std::string_view text) : result_(parse_body(text)) {
    EXPECT_TRUE(result_.ok()) << text << "\n" << explain(result_);
    EXPECT_EQ(function().body.size(), 1U) << text;
  }
  const Function& function() const { return function_of(result_); }
  const Instruction& operator*() const { return function().body.at(0); }
  const Instruction* operator->() const { return &function().body.at(0); }
  /// Operand i, from 0.
  const Operand& operand(std::size_t i) const { return function().body.at(0).operands[i]; }
  /// Element j of operand i: a vector, a pair or a texture with coordinates.
  const Operand& element(std::size_t i, std::size_t j) const {
    return function().elements(operand(i))[j];
  }
  const Module& module() const { return result_.module; }

 private:
  ParseResult result_;
};

using Kind = Operand::Kind;

TEST(Instruction, SeparatesModifiersAndTypes) {
  const SingleInstruction i(
      "\t ld.relaxed.gpu.global.L1::evict_last.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];");
  EXPECT_EQ(i->opcode, Opcode::ld);
  EXPECT_THAT(std::vector<Modifier>(i->modifiers.begin(), i->modifiers.end()),
              ElementsAre(Modifier::relaxed, Modifier::gpu, Modifier::global,
                          Modifier::L1_evict_last, Modifier::L2_128B, Modifier::v4));
  EXPECT_EQ(i->types.size(), 1U);
  EXPECT_EQ(i->type(), ValueType::f32);
  EXPECT_EQ(i->spelling, "ld.relaxed.gpu.global.L1::evict_last.L2::128B.v4.f32");
  EXPECT_EQ(i->location, (TextLocation{5, 3}));
}

TEST(Instruction, KeepsTypesInWrittenOrder) {
  const SingleInstruction cvt("cvt.rn.f32.s64 %f1, %rd1;");
  EXPECT_EQ(cvt->type(0), ValueType::f32);
  EXPECT_EQ(cvt->type(1), ValueType::s64);
  EXPECT_EQ(cvt->type(2), ValueType::none);
  EXPECT_EQ(SingleInstruction("ld.f32.global %f1, [%rd1];")->type(), ValueType::f32)
      << "expected types and modifiers to be accepted in any order";
}

TEST(Operand, CanBeAConstant) {
  EXPECT_EQ(SingleInstruction("mov.u32 %r1, -1;").operand(1).bits, ~std::uint64_t{0});
  EXPECT_EQ(SingleInstruction("mov.u32 %r1, (2*3+1) << 4;").operand(1).bits, 112U);
  EXPECT_EQ(SingleInstruction("mov.u32 %r1, WARP_SZ;").operand(1).bits, 32U);
  const SingleInstruction single("mov.f32 %f1, 0f3F800000;");
  EXPECT_EQ(single.operand(1).kind, Kind::f32);
  EXPECT_EQ(single.operand(1).bits, 0x3F800000U);
  const SingleInstruction decimal("mov.f32 %f1, -1.5;");
  EXPECT_EQ(decimal.operand(1).kind, Kind::f64);
  EXPECT_EQ(decimal.operand(1).bits, std::bit_cast<std::uint64_t>(-1.5));
  EXPECT_EQ(SingleInstruction("mov.f64 %fd1, 0d4000000000000000;").operand(1).bits,
            0x4000000000000000U);
}

TEST(Operand, CanBeASpecialRegister) {
  const SingleInstruction tid("mov.u32 %r1, %ctaid.y;");
  EXPECT_EQ(tid.operand(1).kind, Kind::special);
  EXPECT_EQ(tid.operand(1).index, static_cast<std::uint32_t>(SpecialRegister::ctaid_y));
  EXPECT_EQ(SingleInstruction("mov.u64 %rd1, %clock64;").operand(1).index,
            static_cast<std::uint32_t>(SpecialRegister::clock64));
  EXPECT_EQ(SingleInstruction("mov.u16 %rs1, %tid.x;").operand(1).kind, Kind::special);
  EXPECT_EQ(SingleInstruction("cvt.u64.u32 %rd1, %tid.x;").operand(1).kind, Kind::special);
  EXPECT_EQ(SingleInstruction("mov.b32 %r1, %envreg31;").operand(1).kind, Kind::special);
  const SingleInstruction all("mov.v4.u32 {%r1,%r2,%r3,%r4}, %tid;");
  ASSERT_EQ(all.operand(1).kind, Kind::vector);
  EXPECT_EQ(all.element(1, 2).index, static_cast<std::uint32_t>(SpecialRegister::tid_z));
  EXPECT_EQ(all.element(1, 3).kind, Kind::integer) << "expected 0 for the fourth dimension";
  EXPECT_EQ(SingleInstruction("mov.u32 %r1, %ntid.w;").operand(1).bits, 0U);
}

TEST(Operand, CanBeAnAddress) {
  const SingleInstruction plain("ld.global.u32 %r1, [%rd1];");
  EXPECT_EQ(plain.operand(1).kind, Kind::address);
  EXPECT_EQ(plain.operand(1).base, Operand::Base::reg);
  EXPECT_EQ(plain.operand(1).bits, 0U);
  const auto offset = [](std::string_view text) {
    return static_cast<std::int64_t>(SingleInstruction(text).operand(1).bits);
  };
  EXPECT_EQ(offset("ld.global.u32 %r1, [%rd1+16];"), 16);
  EXPECT_EQ(offset("ld.global.u32 %r1, [%rd1+-4];"), -4);
  EXPECT_EQ(offset("ld.global.u32 %r1, [%rd1 - 4];"), -4);
  EXPECT_EQ(offset("ld.global.u32 %r1, [%rd1+(2*3)];"), 6);
  const SingleInstruction symbol("ld.param.u32 %r1, [pointer+4];");
  EXPECT_EQ(symbol.operand(1).base, Operand::Base::variable);
  EXPECT_EQ(symbol.module().variables[symbol.operand(1).index].name, "pointer");
  EXPECT_EQ(symbol.operand(1).bits, 4U);
  const SingleInstruction absolute("ld.global.u32 %r1, [0x1000];");
  EXPECT_EQ(absolute.operand(1).base, Operand::Base::none);
  EXPECT_EQ(absolute.operand(1).bits, 0x1000U);
}

TEST(Operand, CanBeARegisterPlusAConstant) {
  const SingleInstruction store("st.global.u32 [%rd1], %r2+-4;");
  EXPECT_EQ(store.operand(1).kind, Kind::sum);
  EXPECT_EQ(store.operand(1).index, SingleInstruction("mov.u32 %r1, %r2;").operand(1).index);
  EXPECT_EQ(static_cast<std::int64_t>(store.operand(1).bits), -4);
}

TEST(Operand, CanBeVariableOrElementOfOne) {
  const ParseResult r = parse_module(
      ".global .v2 .u16 a[8]; .global .u32 m[2][2];\n.entry k() { .reg .b64 %rd<3>; .reg .b32 "
      "%r<3>;\n"
      "mov.u64 %rd1, a; mov.u64 %rd1, a+6; mov.u64 %rd1, a[3]; ld.global.u32 %r1, a[2];\n"
      "mov.u64 %rd1, m[1];\n mov.u64 %rd1, k; }");
  EXPECT_THAT(errors_of(r), ElementsAre("7:16+1 only arrays of one dimension can be indexed"));
  const Function& k = function_of(r, "k");
  EXPECT_EQ(k.body[0].operands[1].kind, Kind::variable);
  EXPECT_EQ(k.body[0].operands[1].bits, 0U);
  EXPECT_EQ(k.body[1].operands[1].bits, 6U);
  EXPECT_EQ(k.body[2].operands[1].bits, 12U);
  EXPECT_EQ(k.body[3].operands[1].kind, Kind::address);
  EXPECT_EQ(k.body[3].operands[1].bits, 8U);
  EXPECT_EQ(k.body[4].operands[1].kind, Kind::function);
}

TEST(Operand, CanBeAVectorOrAPair) {
  const SingleInstruction pack("mov.b64 %rd1, {%r1, 5};");
  ASSERT_EQ(pack.operand(1).kind, Kind::vector);
  EXPECT_EQ(pack.operand(1).count, 2);
  EXPECT_EQ(pack.element(1, 0).kind, Kind::reg);
  EXPECT_EQ(pack.element(1, 1).kind, Kind::integer);
  const SingleInstruction unpack("mov.b64 {%r1, _}, %rd1;");
  EXPECT_EQ(unpack.element(0, 1).kind, Kind::sink);
  const SingleInstruction pair("setp.lt.u32 %p1|%p2, %r1, 3;");
  ASSERT_EQ(pair.operand(0).kind, Kind::pair);
  EXPECT_EQ(register_name(pair.function(), pair.element(0, 1)), "%p2");
  const SingleInstruction shuffle("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;");
  EXPECT_EQ(shuffle.operand(0).kind, Kind::pair);
  EXPECT_EQ(SingleInstruction("setp.eq.u32 _|%p1, %r1, %r2;").element(0, 0).kind, Kind::sink);
}

TEST(Operand, CanBeNegated) {
  const SingleInstruction selp("selp.b32 %r1, %r2, %r3, !%p1;");
  EXPECT_TRUE(selp.operand(3).negated);
  EXPECT_EQ(selp.operand(3).location, (TextLocation{5, 25}));
  EXPECT_TRUE(SingleInstruction("vmad.u32.u32.u32 %r1, -%r2, %r3, %r4;").operand(1).negated);
  EXPECT_FALSE(SingleInstruction("mov.u32 %r1, -5;").operand(1).negated);
}

TEST(Operand, CanBePartOfARegisterInVideoInstructions) {
  const SingleInstruction i("vadd.s32.u32.s32.sat.add %r1.b2, %r2.h1, %r3, %r4;");
  const Operand::Selector d = i.operand(0).selector();
  EXPECT_FALSE(d.halves);
  EXPECT_EQ(d.count, 1);
  EXPECT_EQ(d.parts[0], 2);
  EXPECT_TRUE(i.operand(1).selector().halves);
  EXPECT_EQ(i.operand(1).selector().parts[0], 1);
  EXPECT_EQ(i.operand(2).selector().count, 0) << "expected the whole register";
  const SingleInstruction four("vadd4.u32.u32.u32 %r1.b210, %r2.b7654, %r3.b0123, %r4;");
  const Operand::Selector a = four.operand(1).selector();
  EXPECT_EQ(a.count, 4);
  EXPECT_THAT(a.parts, ElementsAre(7, 6, 5, 4));
  EXPECT_EQ(four.operand(0).selector().count, 3);
  EXPECT_THAT(errors_of(parse_body("add.u32 %r1, %r2.b0, %r3;")),
              ElementsAre("5:14+3 only video instructions take parts of registers"));
}

TEST(Operand, CanBeATexture) {
  const SingleInstruction i("tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}];");
  ASSERT_EQ(i.operand(1).kind, Kind::texture);
  ASSERT_EQ(i.operand(1).count, 2);
  EXPECT_EQ(i.element(1, 0).kind, Kind::reg);
  EXPECT_EQ(i.element(1, 1).kind, Kind::vector);
  EXPECT_EQ(i.element(1, 1).count, 2);
  const SingleInstruction single("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, %r1];");
  EXPECT_EQ(single.element(1, 1).kind, Kind::reg);
  const SingleInstruction sampler(
      "tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f1,%f2}], %f3;");
  EXPECT_EQ(sampler.operand(1).count, 3);
}

TEST(Call, AlwaysHasResultsTargetAndArguments) {
  const ParseResult r = parse_module(R"(.func (.param .b32 r) f(.param .b32 a, .param .b64 b);
.func g(); .func (.reg .b32 r) h(.reg .b32 a);
.entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>; .param .b32 x; .param .b64 y;
call.uni (x), f, (x, y); call g; call g, (); call (%r1), h, (7); call (_), h, (%r2);
proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _) .noreturn;
call (x), %rd1, (x, y), proto;
list: .calltargets f;
call (x), %rd1, (x, y), list; none: .callprototype _ (); call %rd2, none; })");
  HEDDLE_EXPECT_PARSES(r);
  const Function& k = function_of(r, "k");
  ASSERT_EQ(k.body.size(), 8U);
  const Instruction& full = k.body[0];
  EXPECT_TRUE(full.has(Modifier::uni));
  ASSERT_EQ(full.operands.size(), 3U);
  EXPECT_EQ(full.operands[0].count, 1);
  EXPECT_EQ(full.operands[1].kind, Kind::function);
  EXPECT_EQ(r.module.functions[full.operands[1].index].name, "f");
  EXPECT_EQ(full.operands[2].count, 2);
  EXPECT_EQ(k.elements(full.operands[2])[1].kind, Kind::variable);
  for (const std::size_t i : {1U, 2U}) {
    ASSERT_EQ(k.body[i].operands.size(), 3U);
    EXPECT_EQ(k.body[i].operands[0].kind, Kind::list);
    EXPECT_EQ(k.body[i].operands[0].count, 0);
    EXPECT_EQ(k.body[i].operands[2].count, 0);
  }
  EXPECT_EQ(k.elements(k.body[3].operands[2])[0].kind, Kind::integer);
  EXPECT_EQ(k.elements(k.body[4].operands[0])[0].kind, Kind::sink);
  ASSERT_EQ(k.body[5].operands.size(), 4U);
  EXPECT_EQ(k.body[5].operands[1].kind, Kind::reg);
  EXPECT_EQ(k.prototypes[k.body[5].operands[3].index].name, "proto");
  EXPECT_EQ(k.prototypes[0].parameters.size(), 2U);
  EXPECT_EQ(r.module.variables[k.prototypes[0].parameters[1]].size, 8U);
  EXPECT_THAT(k.prototypes[1].targets, ElementsAre(0U));
  EXPECT_EQ(k.prototypes[1].returns.size(), 1U);
  EXPECT_EQ(k.body[7].operands[2].count, 0);
}

TEST(Call, MustMatchCallee) {
  const std::string head =
      ".func (.param .b32 r) f(.param .b32 a); .entry kk() { ret; }\n"
      ".entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>; .param .b32 x; .param .b64 y;\n";
  const std::pair<const char*, const char*> cases[] = {
      {"call (x), ff, (x);", "6:11+2 unknown function 'ff'; did you mean 'f'?"},
      {"call f, (x);", "6:6+1 this call needs 1 result, not 0"},
      {"call (x), f, (x, x);", "6:14+1 this call needs 1 argument, not 2"},
      {"call (x), f;", "6:6+1 this call needs 1 argument, not 0"},
      {"call (x), f, (y);", "6:15+1 argument 1 has 8 bytes where 'a' has 4"},
      {"call (%rd1), f, (x);", "6:7+4 result 1 has 8 bytes where 'r' has 4"},
      {"call kk;",
       "6:6+1 operand 2 of 'call' must be a .func, not an .entry; this is the address of a "
       "function"},
      {"call %rd1;",
       "6:1+4 a call through a register needs a .callprototype or .calltargets as last "
       "operand"},
      {"call (x), %rd1, (x), f;",
       "6:22+1 expected the name of a .callprototype or of .calltargets"},
      {"call 5;", "6:6+1 expected a function or a register with a function's address"},
      {"call x;", "6:6+1 expected a function or a register with a function's address"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(errors_of(parse_module(head + text + "}")), ElementsAre(expected)) << text;
  }
}

TEST(Instruction, ReportsErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"ad.u32 %r1, %r2, 3;", "5:1+2 unknown instruction 'ad'; did you mean 'add'?"},
      {"%r1 = 5;", "5:1+3 expected an instruction, found '%r1'"},
      {"5;", "5:1+1 expected an instruction or a declaration, found '5'"},
      {"add.u33 %r1, %r2, 3;", "5:4+4 unknown suffix '.u33'; did you mean '.u32'?"},
      {"ld.globl.u32 %r1, [%rd1];", "5:3+6 unknown suffix '.globl'; did you mean '.global'?"},
      {"add.sync.u32 %r1, %r2, 3;",
       "5:4+5 '.sync' is not a suffix of 'add'; it takes .rn .rz .rm .rp .ftz .sat .cc"},
      {"ret.uni.sync;", "5:8+5 '.sync' is not a suffix of 'ret'; it takes .uni"},
      {"trap.uni;", "5:5+4 '.uni' is not a suffix of 'trap'"},
      {"not.b32.sat %r1, %r2;", "5:8+4 '.sat' is not a suffix of 'not'"},
      {"add %r1, %r2, 3;",
       "5:1+3 'add' needs a type: .u16, .u32, .u64, .s16, .s32, .s64, .u16x2, "
       ".s16x2, .f16, .f16x2, .bf16, .bf16x2, .f32 or .f64"},
      {"cvt.f32 %f1, %f2;",
       "5:1+7 'cvt.f32' needs 2 types: .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, "
       ".f16, .f16x2, .bf16, .bf16x2, .e4m3x2, .e5m2x2, .f32 or .f64"},
      {"add.u32.u64 %r1, %r2, 3;", "5:8+4 'add.u32.u64' has 1 types too many"},
      {"setp.u32 %p1, %r1, 3;",
       "5:1+8 'setp.u32' needs one of .lo, .hi, .eq, .ne, .lt, .le, .gt, .ge, .ls, .hs, .equ, "
       ".neu, "
       ".ltu, .leu, .gtu, .geu, .num, .nan"},
      {"mul.u32 %r1, %r2, %r3;", "5:1+7 'mul.u32' needs one of .lo, .hi, .wide"},
      {"sin.f32 %f1, %f2;", "5:1+7 'sin.f32' needs .approx"},
      {"cvt.f32.s32 %f1, %r1;", "5:1+11 'cvt.f32.s32' needs one of .rn, .rz, .rm, .rp"},
      {"cvt.f16.f32 %h1, %f1;", "5:1+11 'cvt.f16.f32' needs one of .rn, .rz, .rm, .rp"},
      {"cvt.s32.f32 %r1, %f1;", "5:1+11 'cvt.s32.f32' needs one of .rni, .rzi, .rmi, .rpi"},
      {"atom.global.xor.u32 %r1, [%rd1], 1;",
       "5:16+4 'atom' does not work on .u32 but on .b32 or .b64"},
      {"not.u32 %r1, %r2;", "5:4+4 'not' does not work on .u32 but on .pred, .b16, .b32 or .b64"},
      {"add.u32 %r1, %r2;", "5:1+7 'add.u32' takes 3 operands (d, a, b), not 2"},
      {"add.u32 %r1, %r2, %r3, %r4;", "5:1+7 'add.u32' takes 3 operands (d, a, b), not 4"},
      {"ld.global.u32 %r1;", "5:1+13 'ld.global.u32' takes 2 to 3 operands (d, [a]{, b}), not 1"},
      {"ret 5;", "5:1+3 'ret' takes 0 operands (), not 1"},
      {"cvt.rn.f16x2.f32 %r1, %f1;",
       "5:1+16 'cvt.rn.f16x2.f32' takes 3 operands (d, a{, b}{, c}), not 2"},
      {"setp.eq.and.u32 %p1, %r1, %r2;",
       "5:1+15 'setp.eq.and.u32' takes 4 operands (d{|p}, a, b, c), not 3"},
      {"add.u32 5, %r1, %r2;",
       "5:9+1 operand 1 of 'add.u32' must be a register for .u32; this is an integer"},
      {"add.u32 %f1, %r1, %r2;",
       "5:9+3 operand 1 of 'add.u32' must be a register for .u32; '%f1' is a .f32 register"},
      {"add.u32 %r1, %r1, %rd2;",
       "5:19+4 operand 3 of 'add.u32' must be a register or a constant for .u32; '%rd2' is a .b64 "
       "register"},
      {"add.u32 %r1, %tid.x, 1;",
       "5:14+1 operand 2 of 'add.u32' must be a register or a constant for .u32; '%tid.x' can only "
       "be "
       "read by mov and cvt"},
      {"add.u32 %r1, %r2, 1.5;",
       "5:19+1 operand 3 of 'add.u32' must be a register or a constant for .u32; this is a "
       "floating-point number"},
      {"add.f32 %f1, %f2, 1;",
       "5:19+1 operand 3 of 'add.f32' must be a register or a constant for .f32; this is an "
       "integer"},
      {"add.s32 %r1, %r2, -%r3;", "5:19+4 'add.s32' cannot negate its operands"},
      {"setp.eq.u32 %r1, %r2, 3;",
       "5:13+3 operand 1 of 'setp.eq.u32' must be a register for .pred; '%r1' is a .b32 register"},
      {"selp.b32 %r1, %r2, %r3, %r4;",
       "5:25+3 operand 4 of 'selp.b32' must be a predicate; '%r4' is a .b32 register"},
      {"ld.global.u32 %r1, [%f1];", "5:20+1 '%f1' cannot be an address: it is a .f32 register"},
      {"ld.global.u32 %r1, %rd1;",
       "5:20+4 operand 2 of 'ld.global.u32' must be an address in brackets; '%rd1' is a .b64 "
       "register"},
      {"ld.global.v2.u32 %r1, [%rd1];",
       "5:18+3 operand 1 of 'ld.global.v2.u32' must be a vector of 2; '%r1' is a .b32 register"},
      {"ld.global.u32 {%r1, %r2}, [%rd1];",
       "5:15+1 operand 1 of 'ld.global.u32' must be a register for .u32; this is a vector of 2"},
      {"ld.global.u32 %r1, [%rd1;", "5:25+1 expected ']' after the address, found ';'"},
      {"ld.global.u32 %r1, [%rd1+%rd2];", "5:26+4 expected a constant, found '%rd2'"},
      {"ld.global.u32 %r1, [];", "5:21+1 expected an address, found ']'"},
      {"ld.global.u32 %r1, [%tid.x];",
       "5:21+4 expected a register, a variable or a constant as the address"},
      {"mov.b64 %rd1, {%r1, %rs1};",
       "5:21+4 operand 2 of 'mov.b64' must be a register or a constant for .b32; '%rs1' is a .b16 "
       "register"},
      {"mov.u64 %rd1, {%r1, %r2};",
       "5:15+1 only the .b types of 'mov' can be put together from parts"},
      {"mov.b64 {%r1, %r2}, {%r3, %r4};",
       "5:21+1 operand 2 of 'mov.b64' must be a register for .b64; this is a vector of 2"},
      {"mov.b32 %r1, {{%rs1}, %rs2};", "5:15+1 expected an operand, found '{'"},
      {"mov.u32 %r1, 0x1ffffffffffffffff;",
       "5:14+19 0x1ffffffffffffffff does not fit into 64 bits"},
      {"mov.u32 %r1, 08;", "5:14+2 '08' is not a number"},
      {"mov.u32 %r1, \"x;", "5:14+3 this string is never closed"},
      {"mov.u32 %r1, %tid.q;", "5:18+2 '%tid' has the elements .x, .y and .z, not '.q'"},
      {"mov.u32 %r1, L; L:", "5:14+1 unknown name 'L'"},
      {"L: mov.u32 %r1, L;", "5:17+1 the label 'L' can only be branched to"},
      {"bra %r1;", "5:5+3 unknown label '%r1'"},
      {"mov.u32 %r1, %r2|%r3;",
       "5:14+1 operand 2 of 'mov.u32' must be a single operand; this is a pair"},
      {"setp.eq.u32 %p1|5, %r1, %r2;", "5:17+1 both sides of '|' must be registers or '_'"},
      {"brx.idx %r1, %r2;",
       "5:14+3 operand 2 of 'brx.idx' must be the name of .branchtargets; '%r2' is a .b32 "
       "register"},
      {"suld.b.1d.b32.trap %r1, [%rd1];",
       "5:25+1 operand 2 of 'suld.b.1d.b32.trap' must be a texture or surface with coordinates, "
       "[t, {x, "
       "y}]; this is an address in brackets"},
      {"add.u32 %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r1;", "5:49+3 more than 8 operands"},
      {"add.u32.u32.u32.u32.u32 %r1, %r2, %r3;", "5:20+4 more than 4 types"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(errors_of(parse_body(text)), ElementsAre(expected)) << text;
  }
}

TEST(Instruction, IsAcceptedIfPtxasAcceptsIt) {
  // ptxas 13.0 accepts each of these.
  const char* const accepted[] = {
      "add .u32 %r1, %r2, 5;",
      "add.u32 %r1, 3, 5;",
      "add.u32 %u1, %r2, %u2;",
      "add.f64 %fd1, %fd2, 0f3f800000;",
      "and.b32 %f1, %f1, %f1;",
      "and.b32 %r1, %r2, 0f3f800000;",
      "and.pred %p1, %p2, !%p3;",
      "mov.pred %p1, 1;",
      "mov.b32 %r1, 0f3f800000;",
      "mov.f32 %f1, 1.0+2.0;",
      "mov.u32 %r1, 0xFFFFFFFFFF;",
      "selp.b32 %r1, %r2, %r3, 1;",
      "ld.param.u32 %rd1, [number];",
      "ld.global.f32 %r1, [%rd1];",
      "ld.global.f32 %rd1, [%rd1];",
      "ld.global.b32 %fd1, [%rd1];",
      "ld.global.b8 %f1, [%rd1];",
      "ld.shared.u32 %r1, [%r2];",
      "st.shared.u8 [%r2], %rd1;",
      "st.shared.u8 [%r2], 5;",
      "st.global.f32 [%rd1], 1.0;",
      "ld.global.v2.b32 {%r1, _}, [%rd1];",
      "atom.global.add.u32 _, [%rd1], 5;",
      "setp.ne.u32 _, %r1, %r2;",
      "shl.b64 %rd1, %rd2, %u1;",
      "set.eq.f32.s32 %r1, %r2, %r3;",
      "slct.b32.f32 %r1, %r2, %f3, %f1;",
      "mov.b64 {%r1, %f1}, %fd1;",
      "mov.b32 {%rs1, %h1}, %f1;",
      "cvt.u8.u32 %rd1, %r1;",
      "cvt.f32.f16 %f1, %rs1;",
      "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
      "cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r1;",
      "bar.sync %r1;",
      "barrier.sync.aligned 0, 64;",
      "bar.red.popc.u32 %r1, 0, %p1;",
      "bar.red.and.pred %p1, 0, 32, !%p1;",
      "bar.warp.sync 0xffffffff;",
      "vote.sync.ballot.b32 %r1, %p1, -1;",
      "vote.ballot.sync.b32 %r1, 1, -1;",
      "match.all.sync.b32 %r1|%p1, %r2, -1;",
      "redux.sync.add.s32 %r1, %r2, -1;",
      "elect.sync _|%p1, -1;",
      "lop3.or.b32 %r1|%p1, %r2, %r3, %r1, 0x96, %p2;",
      "bfind.shiftamt.u64 %r1, %rd1;",
      "fence.proxy.alias;",
      "prefetch.global.L2 [%rd1];",
      "applypriority.global.L2::evict_normal [%rd1], 128;",
      "cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd1], 16, %r2;",
      "cp.async.wait_group 3;",
      "sust.b.1d.b32.trap [%rd1, {%r2}], {%r1};",
      "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}|%p1, [%rd1, {%r1}];",
      "ld.global.L2::cache_hint.b32 %r1, [%rd2], %rd1;",
      "isspacep.param::entry %p1, %rd1;",
      "stackrestore.u64 %rd1;",
      "fma.rn.f16x2 %r1, %r2, %r3, %r4;",
      "alloca.u64 %rd1, %rd2;",
      "alloca.u64 %rd1, 64, 16;",
      "alloca.u32 %r1, %r2;",
      "createpolicy.fractional.L2::evict_last.b64 %rd1;",
      "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;",
      "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1, %f1;",
      "createpolicy.range.global.L2::evict_normal.b64 %rd1, [%rd2], %r1, 0x200000;",
      "createpolicy.cvt.L2.b64 %rd1, %rd2;",
      "suq.memory_layout.b32 %r1, [%rd1];",
      "suq.width.b32 %f1, [%rd1];",
      "txq.num_mipmap_levels.b32 %r1, [%rd1];",
      "txq.level.height.b32 %r1, [%rd1], %r2;",
      "sured.b.add.2d.u64.trap [%rd1, {%r1, %r2}], %rd2;",
      "sured.b.and.1d.b32.clamp [%rd1, {%r1}], 5;",
      "sured.b.min.3d.s64.zero [%rd1, {%r1, %r2, %r3, %r4}], %rd2;",
      "sured.p.min.1d.b64.trap [%rd1, {%r1}], %rd2;",
      "tld4.a.2d.v4.f32.f32 {%f1, %f2, %f3, _}, [%rd1, {%f1, %f2}];",
      "tld4.b.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}|%p1, [%rd1, %rd2, {%f1, %f2}];",
      "tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}], {%r1, %r2}, %f3;",
      "st.global.u32 [%rd1], %r1+4;",
      "mad.lo.u32 %r1, %r2+4, %r3+-5, %r1+0x10;",
      "setp.eq.u32 %p1, %r1+1, 3;",
      "add.u64 %rd1, %rd2+8, 1;",
      "add.u16 %rs1, %rs2+3, 1;",
  };
  for (const char* text : accepted) {
    const ParseResult r = parse_body(text);
    EXPECT_TRUE(r.ok()) << text << "\n" << explain(r);
  }
}

TEST(Instruction, IsRejectedIfPtxasRejectsIt) {
  // ptxas 13.0 rejects each of these.
  const char* const rejected[] = {
      "mov.f32 %f1, 0;",
      "mov.b32 %f1, 1.0;",
      "mov.u32 %f1, %r1;",
      "add.f32 %u1, %f1, %f1;",
      "add.f16 %h1, %h2, 0x3c00;",
      "add.f16 %h1, %h2, 1.0;",
      "mov.f16 %h1, 1.0;",
      "mov.u64 %rd1, %tid.x;",
      "mov.u32 %r1, %clock64;",
      "mov.b32 %rd1, %clock;",
      "mov.u32 %r1, %tid;",
      "st.global.u32 [%rd1], %tid.x;",
      "ld.param.u32 %rs1, [number];",
      "ld.global.u8 %f1, [%rd1];",
      "ld.global.f32 %fd1, [%rd1];",
      "ld.global.b32 _, [%rd1];",
      "cvt.u32.u8 %rs1, %r1;",
      "cvt.f64.f32 %fd1, %fd1;",
      "cvt.rn.f32.s32 %r1, %f1;",
      "add.u16 %b1, %b2, 5;",
      "shl.b32 %r1, %r2, %rs1;",
      "shl.b64 %rd1, %rd2, %rd1;",
      "add.u32 %r1, %r2, 0f3f800000;",
      "fma.rn.f16x2 %r1, %r2, %r3, %f1;",
      "add.f16x2 %u1, %r2, %r3;",
      "bra L, M; L: M:",
      "mov.u32 %r1, 5 / 0;",
      "mov.f32 %f1, -0f3f800000;",
      "fma.f32 %f1, %f2, %f3, %f4;",
      "div.f32 %f1, %f2, %f3;",
      "redux.add.s32 %r1, %r2, -1;",
      "atom.global.u32 %r1, [%rd1], 1;",
      "atom.global.exch.u32 %r1, [%rd1], 1;",
      "atom.global.inc.s32 %r1, [%rd1], 1;",
      "cvt.b32.u32 %r1, %r2;",
      "alloca.u64 %rd1, %rd2, %r1;",
      "alloca.u64 %r1, %rd2, 16;",
      "alloca.b64 %rd1, %rd2, 16;",
      "alloca.u64 %rd1;",
      "createpolicy.fractional.b64 %rd1, 0.5;",
      "createpolicy.L2::evict_last.b64 %rd1, 0.5;",
      "createpolicy.fractional.L2::evict_last.b64 %rd1, 1;",
      "createpolicy.fractional.L2::evict_last.u64 %rd1, 0.5;",
      "createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], %r1;",
      "createpolicy.cvt.b64 %rd1, %rd2;",
      "createpolicy.cvt.L2.b64 %rd1, %r2;",
      "suq.width.u32 %r1, [%rd1];",
      "suq.width.b32 %r1, %rd1;",
      "suq.normalized_coords.b32 %r1, [%rd1];",
      "suq.b32 %r1, [%rd1];",
      "txq.width.b32 %r1, [%rd1], 0;",
      "txq.level.width.b32 %r1, [%rd1];",
      "txq.level.array_size.b32 %r1, [%rd1], 0;",
      "txq.b32 %r1, [%rd1];",
      "sured.b.add.2d.s64.trap [%rd1, {%r1, %r2}], %rd2;",
      "sured.b.and.2d.u32.trap [%rd1, {%r1, %r2}], %r3;",
      "sured.b.add.a1d.u32.trap [%rd1, {%r1, %r2}], %r3;",
      "sured.b.add.2d.u32 [%rd1, {%r1, %r2}], %r3;",
      "sured.b.2d.u32.trap [%rd1, {%r1, %r2}], %r3;",
      "sured.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;",
      "sured.b.add.2d.u32.trap [%rd1], %r3;",
      "tld4.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
      "tld4.r.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3, %f4}];",
      "tld4.r.2d.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
      "tld4.r.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];",
      "tld4.r.2d.v4.u32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
      "tld4.r.2d.v4.f32.f32 %f1, [%rd1, {%f1, %f2}];",
      "add.u32 %r1+1, %r2, %r3;",
      "add.u32 %r1, %r2-1, %r3;",
      "st.global.v2.u32 [%rd1], {%r1+1, %r2};",
      "mov.u32 %r1, %r2+%r3;",
  };
  for (const char* text : rejected) EXPECT_FALSE(parse_body(text).ok()) << text;
}

TEST(Instruction, IsNotCheckedIfHeddleDoesNotExecuteIt) {
  const char* const unchecked[] = {
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
      "[%rd1], %r1;",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
      "{%r5,%r6}, {%f1,%f2,%f3,%f4};",
      "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32 {%f1,%f2,%f3,%f4}, "
      "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};",
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
      "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
      "{%r2, "
      "%r3}], [%r4];",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r1], %r2;",
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];",
      "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
      "multimem.ld_reduce.global.add.f32 %f1, [%rd1];",
      "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;",
      "add.rn.f32x2 %rd1, %rd2, %rd3;",
      "fma.rn.f32.f16 %f1, %h1, %h2, %f3;",
      "wgmma.fence.sync.aligned;",
      "some_label: clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %r1;",
  };
  for (const char* text : unchecked) {
    const ParseResult r = parse_body(text);
    EXPECT_TRUE(r.ok()) << text << "\n" << explain(r);
    EXPECT_EQ(function_of(r).body.size(), 1U) << text;
  }
  EXPECT_THAT(errors_of(parse_body("mma.sync.whatever %r1, %q1;")),
              ElementsAre("5:24+3 unknown register '%q1'"))
      << "expected an error for undeclared names even in unchecked instructions";
}

}  // namespace
}  // namespace heddle::ptx::test
