// Tests of the parser for directives at module scope.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parse_text.h"

namespace heddle::ptx::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Module, HasVersionTargetAndAddressSize) {
  const ParseResult r = parse(
      ".version 8.7\n.target sm_90a, texmode_independent, debug\n.address_size 64\n", "a.ptx");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_EQ(r.module.version_major, 8U);
  EXPECT_EQ(r.module.version_minor, 7U);
  EXPECT_EQ(r.module.target, "sm_90a");
  EXPECT_EQ(r.module.sm, 90U);
  EXPECT_EQ(r.module.file, "a.ptx");
  EXPECT_EQ(r.module.address_size, 64U);
}

TEST(Module, AcceptsThreeDigitAndFamilyTargets) {
  EXPECT_EQ(parse(".version 9.0\n.target sm_120f\n", "").module.sm, 120U);
  EXPECT_EQ(parse(".version 9.0\n.target sm_75\n", "").module.sm, 75U);
}

TEST(Module, MustBeginWithVersionAndTarget) {
  EXPECT_THAT(errors_of(parse("", "")),
              ElementsAre("1:1+1 expected '.version' at the beginning of the module, but the text "
                          "ends here",
                          "1:1+1 expected '.target' after '.version', but the text ends here"));
  EXPECT_THAT(errors_of(parse(".version 9.0\n.global .u32 x;\n", "")),
              ElementsAre("2:1+7 expected '.target' after '.version', found '.global'"));
  EXPECT_THAT(errors_of(parse(".version 9\n.target sm_75\n", "")),
              ElementsAre("1:10+1 expected a version, such as 9.0, found '9'"));
  EXPECT_THAT(errors_of(parse(".version 9.0\n.target compute_75\n", "")),
              ElementsAre("2:9+10 unknown target 'compute_75'; expected one such as sm_75"));
  EXPECT_THAT(errors_of(parse(".version 9.0\n.target sm_7x\n", "")),
              ElementsAre("2:9+5 unknown target 'sm_7x'; expected one such as sm_75"));
}

TEST(Module, Rejects32BitAddresses) {
  EXPECT_THAT(errors_of(parse(".version 9.0\n.target sm_75\n.address_size 32\n", "")),
              ElementsAre("3:15+2 only addresses of 64 bits are supported"));
}

TEST(Module, IgnoresDebugSectionsAndPragmas) {
  HEDDLE_EXPECT_PARSES(parse_module(R"(
.section .debug_str
{
info_string0:
.b8 67,58,0
.b32 .debug_abbrev
{ } }
	.section	.debug_macinfo	{	}
.pragma "nounroll", "used_bytes_mask 240";
@@DWARF .section .debug_pubnames, "", @progbits
@@DWARF .byte 0x2b, 0x00
.file 1 "x.cu", 1700000000, 512
)"));
}

TEST(Module, RecordsNounrollPragma) {
  EXPECT_TRUE(parse_module(".pragma \"used_bytes_mask 240\", \"nounroll\";").module.nounroll);
  EXPECT_FALSE(parse_module(".pragma \"used_bytes_mask 240\";").module.nounroll);
}

TEST(Module, ReportsUnterminatedSection) {
  EXPECT_THAT(errors_of(parse_module(".section .debug_str { .b8 1")),
              ElementsAre("4:21+1 the '}' that closes this section is missing"));
}

TEST(Module, CanBeOnOneLine) {
  HEDDLE_EXPECT_PARSES(
      parse(".version 9.0 .target sm_75 .address_size 64 .visible .entry k(){ret;}", ""));
}

TEST(Module, CanEndWithZeroBytes) {
  HEDDLE_EXPECT_PARSES(parse_module(std::string(".entry k(){ret;}\n\0\0\0", 20)));
}

TEST(Module, CanHaveWindowsLineEnds) {
  const ParseResult r = parse(
      ".version 9.0\r\n.target sm_75\r\n.address_size 64\r\n.entry k()\r\n{\r\n bad;\r\n}\r\n", "");
  EXPECT_THAT(errors_of(r), ElementsAre("6:2+3 unknown instruction 'bad'; did you mean 'bar'?"));
}

TEST(Module, ReportsUnknownDirectiveAndContinues) {
  const ParseResult r =
      parse_module(".globl .u32 x;\n.global .u32 y;\nwhat is this;\n.entry k(){ret;}");
  EXPECT_THAT(errors_of(r),
              ElementsAre("4:1+6 unknown directive '.globl'",
                          "6:1+4 expected a directive, such as .entry or .global, found 'what'"));
  EXPECT_NE(variable_of(r, "y"), nullptr);
  EXPECT_EQ(function_of(r, "k").body.size(), 1U);
}

TEST(Module, ReportsUnterminatedComment) {
  EXPECT_THAT(errors_of(parse_module(".entry k() { ret; }\n /* oh")),
              ElementsAre("5:2+2 this comment is never closed"));
}

TEST(Module, ReportsCharactersThatPtxDoesNotUse) {
  EXPECT_THAT(
      errors_of(parse_module("# x\n;.global .u32 a;")),
      ElementsAre("4:1+1 expected a directive, such as .entry or .global, found a character "
                  "that PTX does not use: '#'"));
}

TEST(Module, RejectsSecondVersion) {
  EXPECT_THAT(errors_of(parse_module(".version 9.0\n.global .u32 a;")),
              ElementsAre("4:1+8 '.version' is allowed only at the beginning of a module"));
}

TEST(Alias, GivesFunctionSecondName) {
  const ParseResult r =
      parse_module(".func real() { ret; }\n.visible .func other();\n.alias other, real;\n");
  HEDDLE_EXPECT_PARSES(r);
  EXPECT_EQ(r.module.functions[function_of(r, "other").alias_of].name, "real");
  EXPECT_EQ(function_of(r, "real").alias_of, kNoIndex);
}

TEST(Alias, NeedsDefinitionAndDeclaration) {
  EXPECT_THAT(errors_of(parse_module(".func a();\n.func b();\n.alias a, b;\n")),
              ElementsAre("6:11+1 'b' is not defined"));
  EXPECT_THAT(errors_of(parse_module(".func a() {ret;}\n.func b() {ret;}\n.alias a, b;\n")),
              ElementsAre("6:8+1 'a' is already defined in line 4"));
  EXPECT_THAT(errors_of(parse_module(".alias a, b;\n")), ElementsAre("4:8+1 unknown function 'a'"));
}

}  // namespace
}  // namespace heddle::ptx::test
