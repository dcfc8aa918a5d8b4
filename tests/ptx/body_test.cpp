// Tests of the parser for function bodies: registers, scopes, labels, guards, source lines, and
// recovery after errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "ptx/parse_text.h"

namespace heddle::ptx::test {
namespace {

using testing::ElementsAre;

TEST(Registers, AreCreatedWhenFirstUsed) {
  const ParseResult r =
      parse_body(".reg .b32 %x<4000000000>; mov.u32 %x3999999999, 1; mov.u32 %r1, 2;");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  ASSERT_EQ(f.registers.size(), 2U);
  EXPECT_EQ(f.registers[0].name, "%x3999999999");
  EXPECT_EQ(f.registers[0].type, ValueType::b32);
  EXPECT_EQ(f.registers[1].name, "%r1");
}

TEST(Registers, WithSameNameAreSameRegister) {
  const ParseResult r = parse_body("add.u32 %r1, %r1, %r2; .reg .u32 a, b; add.u32 a, b, a;");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  EXPECT_EQ(f.body[0].operands[0].index, f.body[0].operands[1].index);
  EXPECT_NE(f.body[0].operands[0].index, f.body[0].operands[2].index);
  EXPECT_EQ(f.body[1].operands[0].index, f.body[1].operands[2].index);
  EXPECT_EQ(register_name(f, f.body[1].operands[1]), "b");
}

TEST(Registers, AllowDigitsAtEndOfFamilyName) {
  const ParseResult r =
      parse_body(".reg .b32 %q1<5>; .reg .b64 %q<20>; mov.u64 %q12, 0; mov.u32 %q1, 0;");
  EXPECT_THAT(
      errors_of(r),
      ElementsAre("5:62+3 operand 1 of 'mov.u32' must be a register for .u32; '%q1' is a .b64 "
                  "register"))
      << "expected %q12 to be the 13th register of the family %q";
}

TEST(Registers, MustBeDeclared) {
  EXPECT_THAT(errors_of(parse_body("mov.u32 %r9, 1;")),
              ElementsAre("5:9+3 unknown register '%r9': line 4 declares %r0 to %r8"));
  EXPECT_THAT(errors_of(parse_body("mov.u32 %nothing, 1;")),
              ElementsAre("5:9+8 unknown register '%nothing'"));
  EXPECT_THAT(errors_of(parse_body(".reg .b32 counter; mov.u32 conter, 1;")),
              ElementsAre("5:28+6 unknown name 'conter'; did you mean 'counter'?"));
  EXPECT_THAT(errors_of(parse_body("mov.u32 %r1, %tidx;")),
              ElementsAre("5:14+5 unknown register '%tidx'; did you mean '%tid.x'?"));
}

TEST(Registers, CannotBeDeclaredTwiceInOneScope) {
  EXPECT_THAT(errors_of(parse_body(".reg .b32 a, a;")),
              ElementsAre("5:14+1 'a' is already declared in line 5"));
  EXPECT_THAT(errors_of(parse_body(".reg .b32 %r<3>;")),
              ElementsAre("5:11+2 '%r' is already declared in line 4"));
  EXPECT_THAT(errors_of(parse_body(".reg .b32 %r3;")),
              ElementsAre("5:11+3 '%r3' is already declared in line 4"));
  HEDDLE_EXPECT_PARSES(parse_body(".reg .b32 %r9;"));
}

TEST(Registers, ReportDeclarationErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {".reg x;", "5:6+1 expected a type, such as .b32, found 'x'"},
      {".reg .b32 5;", "5:11+1 expected a register's name, found '5'"},
      {".reg .b32 %x<0>;",
       "5:14+1 the number of registers must be an integer from 1 to 4294967295"},
      {".reg .b32 %x<4294967296>;",
       "5:14+10 the number of registers must be an integer from 1 to 4294967295"},
      {".reg .b32 %x<5;", "5:15+1 expected '>' after the number of registers, found ';'"},
      {".reg .b32 a b;", "5:13+1 expected ';' after the registers, found 'b'"},
      {".reg .v2 .pred a;", "5:10+5 a vector cannot have the type .pred"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(errors_of(parse_body(text)), ElementsAre(expected)) << text;
  }
}

TEST(VectorRegister, IsSplitIntoElements) {
  const ParseResult r = parse_body(
      ".reg .v4 .f32 %v; .reg .v2 .b32 %w<3>; ld.global.v4.f32 %v, [%rd1]; mov.f32 %f1, %v.y;"
      "mov.f32 %v.a, %f1; ld.global.v2.b32 %w2, [%rd1]; mov.b32 %r1, %w2.x;");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  const Operand& v = f.body[0].operands[0];
  ASSERT_EQ(v.kind, Operand::Kind::vector);
  ASSERT_EQ(v.count, 4);
  EXPECT_EQ(register_name(f, f.elements(v)[0]), "%v.x");
  EXPECT_EQ(register_name(f, f.elements(v)[3]), "%v.w");
  EXPECT_EQ(f.body[1].operands[1].index, f.elements(v)[1].index);
  EXPECT_EQ(f.body[2].operands[0].index, f.elements(v)[3].index)
      << "expected .a to be the fourth element, like .w";
  EXPECT_EQ(register_name(f, f.body[4].operands[1]), "%w2.x");
  EXPECT_THAT(errors_of(parse_body(".reg .v2 .f32 %v; mov.f32 %f1, %v.z;")),
              ElementsAre("5:34+2 '%v' is a vector of 2; it has no element '.z'"));
  EXPECT_THAT(errors_of(parse_body("mov.f32 %f1, %f2.x;")),
              ElementsAre("5:17+2 '.x' does not select a part of a register"));
}

TEST(Scope, HidesOuterNames) {
  const ParseResult r = parse_body(R"(mov.u32 %r1, 1;
{ .reg .f32 %r<3>; .reg .pred p; mov.f32 %r1, 0f00000000; mov.u32 %r5, 2; { .reg .b64 %r1; mov.u64 %r1, 3; } }
mov.u32 %r1, 4;)");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  ASSERT_EQ(f.body.size(), 5U);
  EXPECT_EQ(f.body[0].operands[0].index, f.body[4].operands[0].index);
  EXPECT_EQ(f.registers[f.body[1].operands[0].index].type, ValueType::f32);
  EXPECT_EQ(f.registers[f.body[2].operands[0].index].type, ValueType::b32)
      << "expected %r5 to belong to the outer family";
  EXPECT_EQ(f.registers[f.body[3].operands[0].index].type, ValueType::b64);
}

TEST(Scope, RemovesNamesAtItsEnd) {
  EXPECT_THAT(errors_of(parse_body("{ .reg .b32 inner; }\nmov.u32 inner, 1;")),
              ElementsAre("6:9+5 unknown name 'inner'"));
  HEDDLE_EXPECT_PARSES(parse_body("{ .reg .b32 t; } { .reg .f32 t; mov.f32 t, 0f00000000; }"));
}

TEST(Scope, CanDeclareVariables) {
  const ParseResult r = parse_body(
      "{ .param .b32 p0; st.param.b32 [p0], %r1; } { .param .b64 p0; st.param.b64 [p0], %rd1; }"
      ".local .align 8 .b8 depot[24]; .shared .f32 tile[32]; mov.u64 %rd1, depot;");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  ASSERT_EQ(f.variables.size(), 4U);
  EXPECT_NE(f.body[0].operands[0].index, f.body[1].operands[0].index);
  EXPECT_EQ(r.module.variables[f.variables[2]].space, StateSpace::local);
  EXPECT_EQ(r.module.variables[f.variables[2]].owner, 0U);
  EXPECT_EQ(r.module.variables[f.variables[3]].size, 128U);
}

TEST(Scope, LimitsNestingDepth) {
  const std::vector<std::string> errors = errors_of(parse_body(std::string(100'000, '{')));
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0], "5:257+1 scopes are nested more than 256 deep");
  HEDDLE_EXPECT_PARSES(parse_body(std::string(200, '{') + std::string(200, '}')));
}

/// The index of the instruction to which each `bra` leads, in the order of the text.
std::vector<std::uint32_t> targets(const ParseResult& r) {
  std::vector<std::uint32_t> out;
  const Function& f = function_of(r);
  for (const Instruction& i : f.body) {
    if (i.opcode == Opcode::bra) out.push_back(f.labels.at(i.operands[0].index).instruction);
  }
  return out;
}

TEST(Label, CanBeUsedBeforeAndAfterDefinition) {
  const ParseResult r = parse_body("bra B; A: ret; B: bra A; bra C; C:");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_THAT(targets(r), ElementsAre(2U, 1U, 4U));
}

TEST(Label, IsLocalToItsScope) {
  // Two copies of the same inline assembly, and a branch out of a scope.
  const ParseResult r = parse_body(
      "{ WAIT: nanosleep.u32 1; @%p1 bra DONE; bra WAIT; DONE: }\n"
      "{ WAIT: nanosleep.u32 1; @%p1 bra DONE; bra WAIT; DONE: }\n { { bra OUT; } } OUT: ret;");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_THAT(targets(r), ElementsAre(3U, 0U, 6U, 3U, 7U));
}

TEST(Label, OfInnerScopeHidesEarlierOuterLabel) {
  const ParseResult r = parse_body("L: ret; { bra L; ret; L: ret; } bra L;");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_THAT(targets(r), ElementsAre(3U, 0U));
}

TEST(Label, MustBeVisibleAndUnique) {
  EXPECT_THAT(errors_of(parse_body("bra nowhere;")), ElementsAre("5:5+7 unknown label 'nowhere'"));
  EXPECT_THAT(errors_of(parse_body("LOOP: bra LOP;")),
              ElementsAre("5:11+3 unknown label 'LOP'; did you mean 'LOOP'?"));
  EXPECT_THAT(errors_of(parse_body("{ inner: } bra inner;")),
              ElementsAre("5:16+5 unknown label 'inner'"));
  EXPECT_THAT(errors_of(parse_body("L:\nL:")),
              ElementsAre("6:1+1 'L' is already declared in line 5"));
  EXPECT_THAT(errors_of(parse_body(".reg .b32 x; bra x;")),
              ElementsAre("5:18+1 'x' is not a label"));
}

TEST(Label, RecordsNounrollPragmaBeforeNextInstruction) {
  const ParseResult r = parse_body(R"(
.pragma "nounroll";
before:
mov.u32 %r1, 1;
.pragma "nounroll";
with: .loc 1 2 3
.pragma "nounroll";
mov.u32 %r2, 1;
bra before;
bra with;
.file 1 "x.cu"
)");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  ASSERT_EQ(f.labels.size(), 2U);
  EXPECT_FALSE(f.labels[0].nounroll)
      << "expected no effect before a label and in the middle of a block";
  EXPECT_TRUE(f.labels[1].nounroll);
  EXPECT_FALSE(f.nounroll);
}

TEST(BranchTargets, CanNameLaterLabels) {
  const ParseResult r =
      parse_body("table: .branchtargets $A, $B, $A; brx.idx %r1, table; $A: ret; $B: ret;");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r);
  ASSERT_EQ(f.branch_tables.size(), 1U);
  EXPECT_EQ(f.branch_tables[0].name, "table");
  ASSERT_EQ(f.branch_tables[0].targets.size(), 3U);
  EXPECT_EQ(f.labels[f.branch_tables[0].targets[0]].name, "$A");
  EXPECT_EQ(f.labels[f.branch_tables[0].targets[1]].instruction, 2U);
  EXPECT_EQ(f.body[0].operands[1].kind, Operand::Kind::branches);
  EXPECT_THAT(errors_of(parse_body("t: .branchtargets A, B; A: ret;")),
              ElementsAre("5:22+1 unknown label 'B'"));
}

TEST(Guard, ParsesPredicate) {
  const ParseResult r = parse_body("@%p1 ret; @!%p2 ret; ret; @%p1 { }");
  EXPECT_EQ(r.diagnostics.error_count(), 1U) << "expected an error for a guarded block";
  const Function& f = function_of(r);
  EXPECT_TRUE(f.body[0].guard.present());
  EXPECT_FALSE(f.body[0].guard.negated);
  EXPECT_TRUE(f.body[1].guard.negated);
  EXPECT_FALSE(f.body[2].guard.present());
  EXPECT_THAT(errors_of(parse_body("@%r1 ret;")), ElementsAre("5:2+3 '%r1' is not a predicate"));
  EXPECT_THAT(errors_of(parse_body("@%q1 ret;")), ElementsAre("5:2+3 unknown predicate '%q1'"));
}

TEST(SourceLine, ComesFromLastLoc) {
  const ParseResult r = parse_module(R"(.file 1 "a.cu"
.file 3 "b.h", 1, 2
.entry k() {
ret;
.loc 1 10 3
ret;
ret;
.loc 3 20 5, function_name $info, inlined_at 1 10 3
ret;
.loc 3 30 1, function_name $info + 16, inlined_at 3 20 5
ret;
.loc 1 10 3
ret;
}
.entry l() { ret; })");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_THAT(r.module.source_files, ElementsAre("", "a.cu", "", "b.h"));
  const Function& k = function_of(r, "k");
  const auto position_of = [&](std::size_t i) {
    return r.module.source_lines.at(k.body.at(i).source);
  };
  EXPECT_EQ(k.body[0].source, kNoIndex);
  EXPECT_EQ(position_of(1).line, 10U);
  EXPECT_EQ(position_of(1).file, 1U);
  EXPECT_EQ(position_of(1).column, 3U);
  EXPECT_EQ(position_of(1).inlined_at, kNoIndex);
  EXPECT_EQ(k.body[2].source, k.body[1].source);
  EXPECT_EQ(position_of(3).file, 3U);
  EXPECT_EQ(position_of(3).inlined_at, k.body[1].source);
  EXPECT_EQ(position_of(4).inlined_at, k.body[3].source);
  EXPECT_EQ(k.body[5].source, k.body[1].source) << "expected equal positions to be stored once";
  EXPECT_EQ(function_of(r, "l").body[0].source, kNoIndex);
  EXPECT_EQ(r.module.source_lines.size(), 3U);
}

TEST(SourceLine, ReportsErrors) {
  EXPECT_THAT(errors_of(parse_body(".loc 1 2")),
              ElementsAre("6:1+1 expected a file, a line and a column, found '}'"));
  EXPECT_THAT(errors_of(parse_body(".loc 1 2 3, what 1")).at(0),
              "5:13+4 expected function_name or inlined_at, found 'what'");
  EXPECT_THAT(errors_of(parse_module(".file 4000000000 \"x\"")).at(0),
              "4:7+10 the number of a file must be an integer from 0 to 65535");
  EXPECT_THAT(errors_of(parse_module(".file 1 x;")).at(0),
              "4:9+1 expected the path of the file, in quotes, found 'x'");
}

TEST(Recovery, FindsManyErrorsInOneText) {
  const ParseResult r = parse_body(
      "bad1 %r1;\nmov.u32 %r1 5;\nmov.u32 %r1, {1;\nadd.u32 %r1, %r2, 3;\nld.x.u32 %r1, "
      "[%rd1];\n}\n"
      ".entry second() { bad2; ret; }\n.global .u32 g = ;\n.entry third() { ret; }");
  EXPECT_THAT(
      errors_of(r),
      ElementsAre("5:1+4 unknown instruction 'bad1'",
                  "6:13+1 expected ';' after the operands, found '5'",
                  "7:16+1 expected '}' after the elements, found ';'", "9:3+2 unknown suffix '.x'",
                  "11:19+4 unknown instruction 'bad2'", "12:18+1 expected a constant, found ';'",
                  "14:1+1 expected a directive, such as .entry or .global, found '}'"));
  EXPECT_EQ(function_of(r).body.size(), 1U) << "expected valid instructions to be kept";
}

TEST(Recovery, KeepsInstructionsAroundMissingSemicolonAtEndOfLine) {
  const ParseResult r = parse_body("mov.u32 %r1, 5\nmov.u32 %r2, 6;");
  EXPECT_THAT(errors_of(r), ElementsAre("5:15+1 expected ';' after the operands"));
  EXPECT_EQ(function_of(r).body.size(), 2U);
}

TEST(Recovery, CountsErrorsBeyondKeptLimit) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "nonsense;\n";
  const ParseResult r = parse_body(body);
  EXPECT_EQ(r.diagnostics.error_count(), 1000U);
  EXPECT_EQ(r.diagnostics.entries().size(), Diagnostics::kMaxKept);
}

}  // namespace
}  // namespace heddle::ptx::test
