// Tests of linking: several modules become one program.

#include "base/error.h"
#include "lower_harness.h"

namespace heddle::code::test {
namespace {

std::vector<ptx::Module> modules_of(const std::string& a, const std::string& b) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse_module(a, "a.ptx"));
  modules.push_back(parse_module(b, "b.ptx"));
  return modules;
}

CompilationUnit link_modules(const std::string& a, const std::string& b) {
  return lower(modules_of(a, b));
}

/// The error of linking two modules; empty if there is none.
std::string error_of(const std::string& a, const std::string& b) {
  const std::vector<ptx::Module> modules = modules_of(a, b);
  try {
    lower(modules);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kCallsF = ".extern .func f;\n.visible .entry k() { call f; ret; }\n";

TEST(Link, ResolvesDeclarationToDefinitionInAnotherModule) {
  const CompilationUnit unit = link_modules(kCallsF, ".visible .func f { ret; }\n");
  ASSERT_EQ(unit.program.functions.size(), 2U);
  const std::uint32_t f = function_index(unit, "f");
  EXPECT_FALSE(unit.program.functions[f].is_extern);
  EXPECT_EQ(unit.program.functions[f].module, 1U);
  const std::uint32_t k = function_index(unit, "k");
  EXPECT_TRUE(unit.program.functions[k].unsupported.empty());
  EXPECT_EQ(unit.bodies[k].blocks[0].instructions[0].target, f);
}

TEST(Link, RejectsDuplicateDefinitionAndNamesBothFiles) {
  for (const std::string definition :
       {".visible .func f { ret; }\n", ".visible .entry f() { ret; }\n",
        ".visible .global .u32 f = 1;\n"}) {
    const std::string error = error_of(definition, definition);
    EXPECT_NE(error.find("'f'"), std::string::npos) << error;
    EXPECT_NE(error.find("a.ptx"), std::string::npos) << error;
    EXPECT_NE(error.find("b.ptx"), std::string::npos) << error;
  }
}

TEST(Link, KeepsInternalNamesSeparatePerModule) {
  const CompilationUnit unit =
      link_modules(".global .u32 v = 1;\n.func f { ret; }\n.visible .entry j() { call f; ret; }",
                   ".global .u32 v = 2;\n.func f { ret; }\n.visible .entry k() { call f; ret; }");
  EXPECT_EQ(unit.program.functions.size(), 4U);
  EXPECT_EQ(unit.program.variables.size(), 2U);
  EXPECT_NE(unit.bodies[function_index(unit, "j")].blocks[0].instructions[0].target,
            unit.bodies[function_index(unit, "k")].blocks[0].instructions[0].target);
}

TEST(Link, PrefersStrongDefinitionInEitherOrder) {
  const std::string weak = ".weak .func f { trap; }\n.weak .global .u32 v = 1;\n";
  const std::string strong = ".visible .func f { ret; }\n.visible .global .u32 v = 2;\n";
  for (const CompilationUnit& unit : {link_modules(weak, strong), link_modules(strong, weak)}) {
    ASSERT_EQ(unit.bodies.size(), 1U);
    EXPECT_EQ(unit.bodies[0].blocks[0].instructions[0].operation, Operation::ret);
    EXPECT_EQ(find_variable(unit, "v").bytes[0], 2);
  }
}

TEST(Link, KeepsFirstOfTwoWeakDefinitions) {
  const CompilationUnit unit =
      link_modules(".weak .func f { trap; }\n", ".weak .func f { ret; }\n");
  EXPECT_EQ(unit.bodies[0].blocks[0].instructions[0].operation, Operation::trap);
}

TEST(Link, CallsAliasLikeItsFunction) {
  const CompilationUnit unit =
      link_modules(".visible .func f { trap; }\n.visible .func g;\n.alias g, f;\n",
                   ".extern .func g;\n.visible .entry k() { call g; ret; }\n");
  const std::uint32_t g = function_index(unit, "g");
  const std::uint32_t k = function_index(unit, "k");
  EXPECT_FALSE(unit.program.functions[g].is_extern);
  EXPECT_EQ(unit.bodies[g].blocks[0].instructions[0].operation, Operation::trap);
  EXPECT_EQ(unit.bodies[k].blocks[0].instructions[0].target, g);
  EXPECT_TRUE(unit.program.functions[k].unsupported.empty());
}

TEST(Link, GivesCommonVariablesLargestSize) {
  const CompilationUnit unit =
      link_modules(".common .global .align 4 .b8 v[8];\n", ".common .global .align 4 .b8 v[24];\n");
  ASSERT_EQ(unit.program.variables.size(), 1U);
  EXPECT_EQ(unit.program.variables[0].size, 24U);
  EXPECT_FALSE(unit.program.variables[0].is_extern);
}

TEST(Link, MarksUnresolvedVariableExtern) {
  const CompilationUnit unit =
      link_modules(".extern .global .u32 v;\n", ".extern .global .u32 v;\n");
  ASSERT_EQ(unit.program.variables.size(), 1U);
  EXPECT_TRUE(unit.program.variables[0].is_extern);
}

TEST(Link, RejectsContradictoryDeclarations) {
  EXPECT_NE(
      error_of(".extern .func f(.param .b32 a);\n", ".visible .func f(.param .b64 a) { ret; }\n"),
      "");
  EXPECT_NE(error_of(".extern .func f(.param .b32 a);\n", ".visible .func f { ret; }\n"), "");
  EXPECT_NE(error_of(".extern .global .b8 v[4];\n", ".visible .global .b8 v[8];\n"), "");
  EXPECT_NE(error_of(".extern .const .b8 v[8];\n", ".visible .global .b8 v[8];\n"), "");
  EXPECT_NE(error_of(".extern .func f;\n", ".visible .entry f() { ret; }\n"), "");
  EXPECT_EQ(error_of(".extern .global .b8 v[];\n", ".visible .global .b8 v[8];\n"), "");
}

TEST(Link, StoresInitialValuesAsBytesAndAddresses) {
  const CompilationUnit unit = link_modules(
      ".func f { ret; }\n"
      ".global .align 4 .u16 half[4] = {1, 0x203};\n"
      ".global .align 8 .u64 table[4] = {5, f, generic(half), half+2};\n"
      ".const .align 4 .f32 c[2] = {0f3F800000, 0fBF800000};\n",
      "");
  const Variable& half = find_variable(unit, "half");
  EXPECT_EQ(half.size, 8U);
  EXPECT_EQ(half.bytes, (std::vector<std::uint8_t>{1, 0, 3, 2}));
  const Variable& c = find_variable(unit, "c");
  EXPECT_EQ(c.space, VariableSpace::constant);
  EXPECT_EQ(c.bytes, (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbf}));
  const Variable& table = find_variable(unit, "table");
  ASSERT_EQ(table.bytes.size(), 32U);
  EXPECT_EQ(table.bytes[0], 5);
  ASSERT_EQ(table.addresses.size(), 3U);
  EXPECT_TRUE(table.addresses[0].is_function);
  EXPECT_EQ(table.addresses[0].offset, 8U);
  EXPECT_EQ(unit.program.functions[table.addresses[0].symbol].name, "f");
  EXPECT_TRUE(table.addresses[1].generic);
  EXPECT_EQ(unit.program.variables[table.addresses[1].symbol].name, "half");
  EXPECT_EQ(table.addresses[2].addend, 2);
  EXPECT_EQ(table.addresses[2].bytes, 8);
}

TEST(Link, CountsConstantMemoryThatKernelReaches) {
  const CompilationUnit unit = link_modules(
      ".const .align 4 .b8 a[100];\n.const .align 4 .b8 b[20];\n.const .align 4 .b8 c[7];\n"
      ".func f { .reg .b32 %r<2>; ld.const.u32 %r1, [b]; ret; }\n"
      ".visible .entry j(.param .u64 p) { .reg .b32 %r<2>; ld.const.u32 %r1, [a]; ret; }\n"
      ".visible .entry k(.param .u32 p) { .reg .b64 %d<2>; mov.u64 %d1, c; call f; ret; }\n",
      "");
  EXPECT_EQ(unit.program.functions[function_index(unit, "j")].constant_bytes, 108U)
      << "expected a and 8 bytes of parameters";
  EXPECT_EQ(unit.program.functions[function_index(unit, "k")].constant_bytes, 31U)
      << "expected b, c and 4 bytes of parameters";
}

}  // namespace
}  // namespace heddle::code::test
