// Tests of programs that are compiled for a register hierarchy, and of their listings.

#include <gmock/gmock.h>

#include "code/compile.h"
#include "code/lower_harness.h"
#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Compiles an example kernel; without a hierarchy, values are not placed.
Program compile_example(std::optional<Hierarchy> hierarchy) {
  std::vector<ptx::Module> modules;
  modules.push_back(test::parse_module(R"(
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.u64 %d1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r2, [%d3];
  mul.lo.u32 %r3, %r2, %r2;
  add.u32 %r4, %r3, %r2;
  st.global.u32 [%d3], %r4;
  ret;
})"));
  return compile(modules, {.hierarchy = hierarchy});
}

TEST(PlacedProgram, HasPlacementForEachInstruction) {
  const Program program = compile_example(usual_hierarchy());
  ASSERT_EQ(program.placement.size(), program.instructions.size());
  EXPECT_EQ(program.instructions, compile_example({}).instructions);
  EXPECT_TRUE(program.placement[0].begins_strand);
}

TEST(PlacedProgram, HasNoPlacementWithoutHierarchy) {
  EXPECT_THAT(compile_example({}).placement, IsEmpty());
}

TEST(PlacedProgram, IsDeterministic) {
  EXPECT_EQ(compile_example(usual_hierarchy()).placement,
            compile_example(usual_hierarchy()).placement);
}

TEST(PlacedProgram, HasPlacementForExitAddedByAssembly) {
  const Program program = place_and_assemble(function_of({{set(1)}}), usual_hierarchy());
  ASSERT_EQ(program.instructions.size(), 2U);
  EXPECT_EQ(program.placement[1], InstructionPlacement{});
}

TEST(PlacedListing, ShowsPlacesAndStrands) {
  const Function function = function_of({{add(1, {0, 0}), add(2, {1, 0}), load(3, 2),
                                          add(4, {3, 2}), store(0, 4), plain(Operation::exit)}});
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.operand_entries = 1;
  const Program program = place_and_assemble(function, hierarchy);
  const std::string listing = listing_of(program, program.functions[0]);
  EXPECT_EQ(listing.substr(listing.find('\n') + 1),
            "        -- strand begins\n"
            "     0  add R1@l0, R0>l1, R0>l1\n"
            "     1  add R2@o0+m, R1@l0, R0@l1\n"
            "     2  load.global R3, [R2@o0]\n"
            "        -- suspended, strand begins\n"
            "     3  add R4@o0, R3, R2\n"
            "     4  store.global [R0], R4@o0\n"
            "     5  exit\n");
}

TEST(PlacedListing, ShowsSuspensionWithinStrand) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.suspension_ends_strands = false;
  const Program program = place_and_assemble(
      function_of({{load(1, 0), add(2, {1, 1}), plain(Operation::exit)}}), hierarchy);
  EXPECT_THAT(listing_of(program, program.functions[0]), HasSubstr("-- suspended\n"));
}

TEST(PlacedListing, ShowsNoPlacesWithoutPlacement) {
  const Program program = compile_example({});
  const std::string listing = listing_of(program, program.functions[0]);
  EXPECT_THAT(listing, Not(HasSubstr("--")));
  EXPECT_THAT(listing, Not(HasSubstr("@")));
  EXPECT_THAT(listing, HasSubstr(" R"));
}

}  // namespace
}  // namespace heddle::code::testing
