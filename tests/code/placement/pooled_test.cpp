// Tests of the placements for each number of operand-file entries, and of the energy that each
// saves in a strand (Gebhart's dissertation, section 6.6.1).

#include "code/placement/pooled.h"

#include <gmock/gmock.h>

#include "code/compile.h"
#include "code/lower_harness.h"
#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const Instruction kExit = plain(Operation::exit);

// Energy saved per access to the operand file instead of the main file, by the energies of
// usual_hierarchy().
constexpr double kWrite = 4.65 - 1.48;
constexpr double kRead = 3.9 - 0.68;
constexpr double kReadBySharedUnit = 3.9 - 1.06;

/// A hierarchy in which a warp takes 0 to `max_entries` entries for each strand.
Hierarchy variable_hierarchy(std::uint32_t max_entries) {
  Hierarchy hierarchy = two_levels(max_entries);
  hierarchy.variable_entries = true;
  return hierarchy;
}

std::vector<StrandSavings> savings_of(const Function& function, std::uint32_t max_entries) {
  return place_pooled(function, variable_hierarchy(max_entries)).strand_savings;
}

TEST(PooledPlacement, MatchesFixedFileForEachEntryCount) {
  // R0 to R3 are all live at once.
  const Function function = function_of({{set(0), set(1), set(2), set(3), add(4, {0, 1}),
                                          add(5, {2, 3}), add(4, {0, 2}), store(4, 5), kExit}});
  const PooledPlacement placed = place_pooled(function, variable_hierarchy(8));
  ASSERT_THAT(placed.by_entry_count, SizeIs(9));
  for (std::uint32_t entries = 0; entries <= 8; ++entries) {
    EXPECT_EQ(placed.by_entry_count[entries], place_values(function, two_levels(entries)))
        << entries;
  }
  EXPECT_NE(placed.by_entry_count[1], placed.by_entry_count[2]);
  EXPECT_NE(placed.by_entry_count[2], placed.by_entry_count[3]);
}

TEST(StrandSavings, SumSavingsOfPlaces) {
  // One entry holds R1 and then R2. There is no value for a second entry.
  const Function function = function_of({{set(1), add(2, {1, 1}), store(0, 2), kExit}});
  const std::vector<StrandSavings> savings = savings_of(function, 2);
  EXPECT_EQ(savings[0].instructions, 4);
  EXPECT_EQ(savings[0].saved[0], 0);
  const double saved = kWrite + kRead + kWrite + kReadBySharedUnit;
  EXPECT_DOUBLE_EQ(savings[0].saved[1], saved);
  EXPECT_DOUBLE_EQ(savings[0].saved[2], saved);
  for (std::size_t at = 1; at < 4; ++at) EXPECT_EQ(savings[at], StrandSavings{}) << at;
}

TEST(StrandSavings, SubtractCostOfDoubleWritesAndFills) {
  // R1 is also read after the barrier. R0 is filled when it is first read.
  const Function function = function_of(
      {{set(1), add(2, {1, 0}), add(2, {1, 0}), plain(Operation::barrier), add(2, {1, 1}), kExit}});
  const std::vector<StrandSavings> savings = savings_of(function, 2);
  EXPECT_DOUBLE_EQ(savings[0].saved[1], 2 * kRead - 1.48);
  EXPECT_DOUBLE_EQ(savings[0].saved[2], 2 * kRead - 1.48 + kRead - 1.48);
  EXPECT_EQ(savings[0].instructions, 4);
}

TEST(StrandSavings, WeightBranchPathsEqually) {
  const Function function =
      function_of({{set(1), branch(2)}, {add(9, {1, 1}), kExit}, {set(8), set(9), kExit}});
  const std::vector<StrandSavings> savings = savings_of(function, 1);
  EXPECT_EQ(savings[0].instructions, 2 + 0.5 * 2 + 0.5 * 3);
  EXPECT_DOUBLE_EQ(savings[0].saved[1], kWrite + 0.5 * kRead);
}

TEST(StrandSavings, CountCommonCodeOfPathsOnce) {
  const Function function = function_of({{set(1), branch(2)}, {set(8)}, {add(9, {1, 1}), kExit}});
  const std::vector<StrandSavings> savings = savings_of(function, 1);
  EXPECT_EQ(savings[0].instructions, 2 + 0.5 + 2);
  EXPECT_DOUBLE_EQ(savings[0].saved[1], kWrite + kRead);
}

TEST(StrandSavings, EndAtNextStrand) {
  const Function function =
      function_of({{set(1), add(9, {1, 1})}, {set(1), add(9, {1, 1}), branch(1)}, {kExit}});
  const std::vector<StrandSavings> savings = savings_of(function, 1);
  EXPECT_EQ(savings[0].instructions, 2);
  EXPECT_EQ(savings[2].instructions, 3);
  EXPECT_EQ(savings[5].instructions, 1);
  EXPECT_DOUBLE_EQ(savings[0].saved[1], kWrite + kRead);
  EXPECT_DOUBLE_EQ(savings[2].saved[1], kWrite + kRead);
  EXPECT_EQ(savings[5].saved[1], 0);
}

TEST(Strands, AreEnteredOnlyAtTheirBeginningWithVariableEntries) {
  // Control reaches instruction 5 from instruction 1, or from the strand that begins at 4.
  const Function function =
      function_of({{set(1), branch(3)}, {set(8), branch(1)}, {set(9)}, {add(9, {1, 1}), kExit}});
  EXPECT_THAT(strands_of(function, two_levels()).beginnings, ElementsAre(0, 2, 4));
  EXPECT_THAT(strands_of(function, variable_hierarchy(3)).beginnings, ElementsAre(0, 2, 4, 5));
}

/// Compiles an example of a kernel that calls a function.
Program compile_example(const Hierarchy& hierarchy) {
  std::vector<ptx::Module> modules;
  modules.push_back(test::parse_module(R"(
.func (.reg .b32 %o) f(.reg .b32 %i) {
  mul.lo.u32 %o, %i, %i;
  add.u32 %o, %o, 5;
  ret;
}
.visible .entry k(.param .u64 to) {
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.u64 %d1, [to];
  mov.u32 %r1, %tid.x;
  call (%r2), f, (%r1);
  st.global.u32 [%d1], %r2;
  ret;
})"));
  return compile(modules, {.hierarchy = hierarchy});
}

TEST(PooledProgram, HasAllPlacementsOfAllFunctionsInOrder) {
  const Program program = compile_example(variable_hierarchy(3));
  ASSERT_THAT(program.pooled.by_entry_count, SizeIs(4));
  EXPECT_THAT(program.pooled.strand_savings, SizeIs(program.instructions.size()));
  for (std::uint32_t entries = 0; entries <= 3; ++entries) {
    EXPECT_EQ(program.pooled.by_entry_count[entries],
              compile_example(two_levels(entries)).placement);
  }
  EXPECT_EQ(program.placement, program.pooled.by_entry_count[3]);
  for (std::size_t pc = 0; pc < program.instructions.size(); ++pc) {
    EXPECT_EQ(program.pooled.strand_savings[pc].instructions > 0,
              program.placement[pc].begins_strand);
  }
}

TEST(PooledProgram, HasNoPlacementsWithFixedEntries) {
  EXPECT_THAT(compile_example(two_levels(3)).pooled.by_entry_count, SizeIs(0));
}

}  // namespace
}  // namespace heddle::code::testing
