// Tests of the parser for the heads of kernels and functions: all that precedes their bodies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "ptx/parse_text.h"

namespace heddle::ptx::test {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(Kernel, HasParametersAndDirectives) {
  const ParseResult r = parse_module(R"(.visible .entry k(
  .param .u64 .ptr .global .align 4 a,
  .param .align 8 .b8 s[24],
  .param .v4 .f32 v
)
.maxntid 128, 2
.reqntid 64, 2, 1
.minnctapersm 3
.maxnreg 40
.maxclusterrank 8
.reqnctapercluster 2
.explicitcluster
.pragma "nounroll";
{ ret; })");
  HEDDLE_EXPECT_PARSES(r);
  const Function& k = function_of(r, "k");
  EXPECT_TRUE(k.is_kernel);
  EXPECT_FALSE(k.is_declaration);
  EXPECT_EQ(k.linkage, Linkage::visible);
  EXPECT_EQ(k.location, (TextLocation{4, 17}));
  EXPECT_THAT(k.max_threads, ElementsAre(128U, 2U, 1U));
  EXPECT_THAT(k.required_threads, ElementsAre(64U, 2U, 1U));
  EXPECT_EQ(k.min_blocks_per_sm, 3U);
  EXPECT_EQ(k.max_registers, 40U);
  EXPECT_TRUE(k.nounroll);
  ASSERT_EQ(k.parameters.size(), 3U);
  const Variable& a = r.module.variables[k.parameters[0]];
  EXPECT_TRUE(a.pointer);
  EXPECT_EQ(a.space, StateSpace::param);
  EXPECT_EQ(a.alignment, 8U) << "expected the alignment after .ptr to apply to the pointee only";
  EXPECT_EQ(a.owner, 0U);
  const Variable& s = r.module.variables[k.parameters[1]];
  EXPECT_EQ(s.size, 24U);
  EXPECT_EQ(s.alignment, 8U);
  EXPECT_EQ(r.module.variables[k.parameters[2]].size, 16U);
}

TEST(Kernel, HasNoLimitsByDefault) {
  const ParseResult r = parse_module(".entry k { ret; }");
  const Function& k = function_of(r, "k");
  EXPECT_THAT(k.max_threads, ElementsAre(0U, 0U, 0U));
  EXPECT_EQ(k.min_blocks_per_sm, 0U);
}

TEST(DeviceFunction, HasResultsAndParameters) {
  const ParseResult r = parse_module(
      ".weak .func (.param .align 16 .b8 out[16]) f(.param .b32 a, .param .b64 b) .noreturn { ret; "
      "}\n"
      ".func (.reg .u32 d) g(.reg .u32 x, .reg .f32 y) { mov.u32 d, x; ret; }");
  HEDDLE_EXPECT_PARSES(r);
  const Function& f = function_of(r, "f");
  EXPECT_FALSE(f.is_kernel);
  EXPECT_TRUE(f.no_return);
  EXPECT_EQ(f.linkage, Linkage::weak);
  ASSERT_EQ(f.returns.size(), 1U);
  EXPECT_EQ(r.module.variables[f.returns[0]].size, 16U);
  EXPECT_EQ(f.parameters.size(), 2U);
  const Function& g = function_of(r, "g");
  const Variable& d = r.module.variables[g.returns[0]];
  const Variable& x = r.module.variables[g.parameters[0]];
  EXPECT_EQ(d.space, StateSpace::reg);
  EXPECT_EQ(g.registers[d.reg].name, "d");
  EXPECT_EQ(g.registers[x.reg].name, "x");
  EXPECT_EQ(g.body[0].operands[0].index, d.reg);
  EXPECT_EQ(g.body[0].operands[1].index, x.reg);
}

TEST(DeviceFunction, CanBeDeclaredBeforeItIsDefined) {
  const ParseResult r = parse_module(
      ".visible .func (.param .b32 r) f(.param .b32 a);\n.func (.param .b32 r) f(.param .b32 "
      "named)\n"
      "{ .reg .b32 x; ld.param.b32 x, [named]; ret; }\n.func (.param .b32 r) f(.param .b32 a);");
  HEDDLE_EXPECT_PARSES(r);
  ASSERT_EQ(r.module.functions.size(), 1U);
  const Function& f = r.module.functions[0];
  EXPECT_FALSE(f.is_declaration);
  EXPECT_EQ(f.linkage, Linkage::visible);
  EXPECT_EQ(r.module.variables[f.parameters[0]].name, "named");
  EXPECT_EQ(f.body.size(), 2U);
}

TEST(DeviceFunction, CanBeExternal) {
  const ParseResult r = parse_module(
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.extern .func g;");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_TRUE(function_of(r, "vprintf").is_declaration);
  EXPECT_EQ(function_of(r, "vprintf").linkage, Linkage::external);
  EXPECT_EQ(function_of(r, "g").parameters.size(), 0U);
}

TEST(DeviceFunction, DeclarationNeedsNoSemicolon) {
  const ParseResult r = parse_module(
      ".extern .func (.param .s32 r) vprintf (.param .u64 f, .param .u64 a)\n"
      ".func g\n.func h () .noreturn\n.global .u32 x;\n.func i ()\n"
      ".visible .func g { ret; }\n.extern .func last (.param .u64 a)");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_TRUE(function_of(r, "vprintf").is_declaration);
  EXPECT_EQ(function_of(r, "vprintf").parameters.size(), 2U);
  EXPECT_TRUE(function_of(r, "h").no_return);
  EXPECT_FALSE(function_of(r, "g").is_declaration);
  EXPECT_TRUE(function_of(r, "last").is_declaration);
  EXPECT_EQ(r.module.variables.back().name, "a");
}

TEST(FunctionHead, ReportsErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {".entry () { ret; }", "4:8+1 expected the name of the kernel, found '('"},
      {".entry k(.u32 a) { ret; }", "4:10+4 expected a parameter: .param or .reg, found '.u32'"},
      {".entry k(.param .u32 a { ret; }", "4:24+1 expected ')' after the parameters, found '{'"},
      {".entry k() .what { ret; }", "4:12+5 '.what' is not allowed in the head of a function"},
      {".entry k() .maxntid 0 { ret; }",
       "4:21+1 the extent of a block must be an integer from 1 to 4294967295"},
      {".entry k() .maxntid 1,2,3,4 { ret; }", "4:27+1 a block has three extents at most"},
      {".entry k(.param .u32 a, .param .u32 a) { ret; }",
       "4:37+1 'a' is already declared in line 4"},
      {".entry k() { ret; }\n.entry k() { ret; }", "5:8+1 'k' is already defined in line 4"},
      {".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }",
       "5:7+1 'f' is declared in line 4 with other parameters"},
      {".func f(.param .b32 a);\n.entry f(.param .b32 a) { ret; }",
       "5:8+1 'f' is declared in line 4 with other parameters"},
      {".global .u32 f;\n.func f() { ret; }", "5:7+1 'f' is already declared in line 4"},
      {".entry k() { ret;", "4:12+1 the '}' that closes this body is missing"},
      {".func f(.reg .b32 a[3]) { ret; }", "4:19+1 a .reg parameter cannot be an array"},
      {".entry j()\n.entry k() { ret; }",
       "5:1+6 '.entry' is not allowed in the head of a function"},
      {".func f() x", "4:11+1 expected ';' or '{' after the head of a function, found 'x'"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(errors_of(parse_module(text)), ElementsAre(expected)) << text;
  }
}

TEST(FunctionHead, ReportsMissingBraceBeforeNextFunction) {
  const ParseResult r = parse_module(".entry a() { ret;\n.visible .entry b() { ret; }");
  const std::vector<std::string> errors = errors_of(r);
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0], "5:1+8 '.visible' in the body of 'a': is a '}' missing before it?");
}

}  // namespace
}  // namespace heddle::ptx::test
