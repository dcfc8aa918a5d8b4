// Tests of the parser for declarations of variables and their initial values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "ptx/parse_text.h"

namespace heddle::ptx::test {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

/// The bits of a variable's initial values; {0xbad} if there is no such variable.
std::vector<std::uint64_t> values_of(const ParseResult& r, std::string_view name) {
  std::vector<std::uint64_t> out;
  const Variable* v = variable_of(r, name);
  if (v == nullptr) return {0xbad};
  for (const Initialiser& i : v->initialiser) out.push_back(i.bits);
  return out;
}

TEST(Variable, HasSpaceTypeSizeAndAlignment) {
  const ParseResult r = parse_module(
      ".visible .global .align 16 .v4 .f32 a[3][2];\n.const .u16 b;\n.weak .shared .b64 c[5];\n"
      ".common .global .u8 d;\n");
  HEDDLE_EXPECT_PARSES(r);
  const Variable& a = *variable_of(r, "a");
  EXPECT_EQ(a.space, StateSpace::global);
  EXPECT_EQ(a.type, ValueType::f32);
  EXPECT_EQ(a.vector, 4U);
  EXPECT_EQ(a.alignment, 16U);
  EXPECT_EQ(a.size, 3U * 2 * 16);
  EXPECT_EQ(a.dimensions, 2U);
  EXPECT_EQ(a.linkage, Linkage::visible);
  EXPECT_EQ(a.owner, kNoIndex);
  EXPECT_EQ(a.location, (TextLocation{4, 37}));
  const Variable& b = *variable_of(r, "b");
  EXPECT_EQ(b.space, StateSpace::const_);
  EXPECT_EQ(b.alignment, 2U) << "expected the type's natural alignment";
  EXPECT_EQ(b.linkage, Linkage::internal);
  EXPECT_EQ(variable_of(r, "c")->linkage, Linkage::weak);
  EXPECT_EQ(variable_of(r, "c")->size, 40U);
  EXPECT_EQ(variable_of(r, "d")->linkage, Linkage::common);
}

TEST(Variable, CanBeOneOfSeveralInDeclaration) {
  const ParseResult r = parse_module(".global .u32 a, b = 2, c[3];");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_EQ(variable_of(r, "a")->size, 4U);
  EXPECT_THAT(values_of(r, "b"), ElementsAre(2U));
  EXPECT_EQ(variable_of(r, "c")->size, 12U);
}

TEST(Variable, CanBeUnsizedIfExternal) {
  const ParseResult r =
      parse_module(".extern .shared .align 16 .b8 s[];\n.extern .global .u32 g[][4];");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_TRUE(variable_of(r, "s")->is_unsized);
  EXPECT_EQ(variable_of(r, "s")->size, 0U);
  EXPECT_EQ(variable_of(r, "s")->linkage, Linkage::external);
  EXPECT_TRUE(variable_of(r, "g")->is_unsized);
  EXPECT_THAT(errors_of(parse_module(".shared .b8 s[];")),
              ElementsAre("4:13+1 the size of 's' is unknown: it is not .extern and has no initial "
                          "value"));
}

TEST(Variable, CanBeManagedOrATextureReference) {
  const ParseResult r = parse_module(
      ".global .attribute(.managed) .align 4 .u32 m;\n.global .texref t;\n"
      ".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };\n"
      ".global .attribute(.unified(0x12, 0x34)) .u32 u;\n.tex .u32 old;");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_TRUE(variable_of(r, "m")->managed);
  EXPECT_EQ(variable_of(r, "t")->type, ValueType::texref);
  EXPECT_EQ(variable_of(r, "s")->type, ValueType::samplerref);
  EXPECT_FALSE(variable_of(r, "u")->managed);
  EXPECT_EQ(variable_of(r, "old")->space, StateSpace::tex);
}

TEST(Variable, CanBeDeclaredBeforeItIsDefined) {
  const ParseResult r = parse_module(
      ".extern .global .u32 a[];\n.visible .global .u32 a[2] = {1, 2};\n.extern .global .u32 "
      "a[2];");
  HEDDLE_EXPECT_PARSES(r);
  ASSERT_EQ(r.module.variables.size(), 1U);
  EXPECT_EQ(variable_of(r, "a")->linkage, Linkage::visible);
  EXPECT_THAT(values_of(r, "a"), ElementsAre(1U, 2U));
}

TEST(Variable, CannotBeDeclaredTwice) {
  EXPECT_THAT(errors_of(parse_module(".global .u32 a;\n.global .u32 a;")),
              ElementsAre("5:14+1 'a' is already declared in line 4"));
  EXPECT_THAT(errors_of(parse_module(".extern .global .u32 a;\n.global .u64 a;")),
              ElementsAre("5:14+1 'a' is declared in line 4 with another type"));
  EXPECT_THAT(errors_of(parse_module(".func a() {ret;}\n.global .u64 a;")),
              ElementsAre("5:14+1 'a' is already declared in line 4"));
}

TEST(Variable, CanBeLocalOutsideOfFunctions) {
  const ParseResult r =
      parse_module(".local .align 8 .b8 x[24];\n.entry k() { st.local.u8 [x], 1; }");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_EQ(r.module.variables[0].space, StateSpace::local);
  EXPECT_EQ(r.module.variables[0].owner, kNoIndex);
}

TEST(Variable, ReportsDeclarationErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {".global x;", "4:9+1 expected a type, such as .b32, found 'x'"},
      {".global .u32 .f32 x;",
       "4:14+4 '.f32' is a second type: the declaration already has '.u32'"},
      {".global .sync .u32 x;", "4:9+5 '.sync' is not allowed in a declaration"},
      {".global .u32;", "4:13+1 expected a name, found ';'"},
      {".global .align 3 .u32 x;", "4:16+1 the alignment must be a power of two"},
      {".global .align 0 .u32 x;", "4:16+1 the alignment must be an integer from 1 to 65536"},
      {".global .u32 x[0];",
       "4:16+1 the size of an array must be an integer from 1 to 1099511627776"},
      {".global .u32 x[-1];", "4:16+2"},
      {".global .u32 x[1.5];", "4:16+3"},
      {".global .u8 x[1<<60];",
       "4:15+1 the size of an array must be an integer from 1 to 1099511627776"},
      {".global .u8 x[1<<30][1<<30];", "4:22+1 'x' is larger than 1099511627776 bytes"},
      {".global .u32 x[3;", "4:17+1 expected ']' after the size, found ';'"},
      {".global .u32 x y;", "4:16+1 expected ';' after the declaration, found 'y'"},
      {".shared .u32 x = 1;", "4:16+1 only .global and .const variables can have initial values"},
      {".extern .global .u32 x = 1;", "4:24+1 an .extern variable cannot have an initial value"},
      {".global .pred x;", "4:9+5 only registers can have the type .pred"},
      {".reg .u32 x;", "4:1+4 .reg variables can only be declared in a function"},
      {".visible x;", "4:10+1 expected .entry, .func or a state space such as .global, found 'x'"},
      {".global .attribute(.other) .u32 x;", "4:20+6 expected the attribute .managed or .unified"},
  };
  for (const auto& [text, expected] : cases) {
    const std::vector<std::string> errors = errors_of(parse_module(text));
    ASSERT_FALSE(errors.empty()) << text;
    // A case without a message only tests the position.
    const std::string start = std::string(expected).substr(0, std::string(expected).find('+'));
    EXPECT_THAT(errors[0], StartsWith(start)) << text;
    if (std::string(expected).find(' ') != std::string::npos) {
      EXPECT_THAT(errors[0], StartsWith(expected)) << text;
    }
    EXPECT_EQ(errors.size(), 1U) << text << ": " << errors.back();
  }
}

TEST(InitialValue, IsConvertedToElementType) {
  const ParseResult r = parse_module(
      ".global .u8 a = 1000;\n.global .s16 b[2] = {-1, 0xFFFFF};\n.global .f32 c = 0.1;\n"
      ".global .f32 d = 0f40490FDB;\n.global .f64 e = 0d4009;\n");
  EXPECT_EQ(errors_of(r).size(), 1U) << "expected an error for 0d with too few digits";
  EXPECT_THAT(values_of(r, "a"), ElementsAre(1000U - 3 * 256));
  EXPECT_THAT(values_of(r, "b"), ElementsAre(0xFFFFU, 0xFFFFU));
  EXPECT_THAT(values_of(r, "c"), ElementsAre(0x3DCCCCCDU));
  EXPECT_THAT(values_of(r, "d"), ElementsAre(0x40490FDBU));
  EXPECT_THAT(values_of(parse_module(".global .f64 e = -1.5;"), "e"),
              ElementsAre(0xBFF8000000000000U));
}

TEST(InitialValue, CanBeShorterThanItsArray) {
  const ParseResult r = parse_module(
      ".global .u32 a[4] = {1, 2};\n.global .u32 b[2][3] = {{1}, {2, 3}};\n.global .u32 c[2][2] = "
      "{};\n"
      ".global .v2 .u32 d[2] = {{1, 2}, {3}};\n.global .v2 .u32 e = {7};");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_THAT(values_of(r, "a"), ElementsAre(1U, 2U));
  EXPECT_THAT(values_of(r, "b"), ElementsAre(1U, 0U, 0U, 2U, 3U));
  EXPECT_THAT(values_of(r, "c"), ElementsAre());
  EXPECT_THAT(values_of(r, "d"), ElementsAre(1U, 2U, 3U));
  EXPECT_THAT(values_of(r, "e"), ElementsAre(7U));
}

TEST(InitialValue, SetsSizeOfUnsizedArray) {
  const ParseResult r =
      parse_module(".global .u16 a[] = {1, 2, 3};\n.global .u32 b[][2] = {{1}, {2, 3}, {4}};");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_EQ(variable_of(r, "a")->size, 6U);
  EXPECT_FALSE(variable_of(r, "a")->is_unsized);
  EXPECT_EQ(variable_of(r, "b")->size, 24U);
  EXPECT_THAT(values_of(r, "b"), ElementsAre(1U, 0U, 2U, 3U, 4U));
}

TEST(InitialValue, CanBeAnAddress) {
  const ParseResult r = parse_module(
      ".global .u32 a[4];\n.func f();\n"
      ".global .u64 p[6] = {a, a+4, generic(a), generic(a)+8, f, a-4};\n"
      ".global .u8 q[3] = {0xff(a), 0xff00(a+4), 0xff000000(generic(a))};\n.global .u32 s = 5;");
  HEDDLE_EXPECT_PARSES(r);
  const std::vector<Initialiser>& p = variable_of(r, "p")->initialiser;
  ASSERT_EQ(p.size(), 6U);
  EXPECT_EQ(p[0].kind, Initialiser::Kind::variable_address);
  EXPECT_EQ(r.module.variables[p[0].symbol].name, "a");
  EXPECT_FALSE(p[0].generic);
  EXPECT_EQ(p[1].addend, 4);
  EXPECT_TRUE(p[2].generic);
  EXPECT_TRUE(p[3].generic);
  EXPECT_EQ(p[3].addend, 8);
  EXPECT_EQ(p[4].kind, Initialiser::Kind::function_address);
  EXPECT_EQ(r.module.functions[p[4].symbol].name, "f");
  EXPECT_EQ(p[5].addend, -4);
  const std::vector<Initialiser>& q = variable_of(r, "q")->initialiser;
  ASSERT_EQ(q.size(), 3U);
  EXPECT_EQ(q[0].byte_mask, 0xFFU);
  EXPECT_EQ(q[1].byte_mask, 0xFF00U);
  EXPECT_EQ(q[1].addend, 4);
  EXPECT_TRUE(q[2].generic);
}

TEST(InitialValue, ReportsErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {".global .u32 x[2] = {1, 2, 3};", "4:28+1 more than 2 initial values"},
      {".global .u32 x[2][2] = {1, 2};", "4:25+1 expected '{' of the initial values, found '1'"},
      {".global .f32 x = 1;", "4:18+1 an integer cannot be the value of a .f32"},
      {".global .u32 x = 1.0;", "4:18+3 a floating-point number cannot be the value of a .u32"},
      {".global .u64 x = y;", "4:18+1 unknown symbol 'y'"},
      {".global .u32 yy;\n.global .u64 x = yz;", "5:18+2 unknown symbol 'yz'; did you mean 'yy'?"},
      {".global .u32 y;\n.global .u8 x = y;", "5:17+1 an address does not fit into a .u8"},
      {".global .u32 y;\n.global .u8 x = 0x1ff(y);",
       "5:17+5 the mask of an address must be 0xFF, shifted by whole bytes"},
      {".global .u32 x[3] = {1, 2;", "4:26+1 expected '}' after the initial values, found ';'"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_THAT(errors_of(parse_module(text)), ElementsAre(expected)) << text;
  }
}

TEST(InitialValue, LimitsFilledInZeros) {
  const std::vector<std::string> errors =
      errors_of(parse_module(".global .u8 x[1000000][1000000] = {{1}, {2}, {3}, {4}};"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0], StartsWith("4:47+1 more than 1048576 elements before this one"));
}

}  // namespace
}  // namespace heddle::ptx::test
