// Placements for any number of entries, and what each number saves in a strand (Gebhart's
// dissertation, section 6.6.1).

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

// What usual_hierarchy() has of a unit of full width, by hand.
constexpr double kWrite = 4.65 - 1.48;
constexpr double kRead = 3.9 - 0.68;
constexpr double kReadBySharedUnit = 3.9 - 1.06;

Hierarchy variable(std::uint32_t most) {
  Hierarchy hierarchy = two_levels(most);
  hierarchy.variable_entries = true;
  return hierarchy;
}

std::vector<StrandWorth> worth_of(const Function& function, std::uint32_t most) {
  return place_pooled(function, variable(most)).worth;
}

TEST(PooledPlacement, IsThatOfAFileOfSoManyEntries) {
  // R0 to R3 are all needed at once.
  const Function function = function_of({{set(0), set(1), set(2), set(3), add(4, {0, 1}),
                                          add(5, {2, 3}), add(4, {0, 2}), store(4, 5), kExit}});
  const PooledPlacement placed = place_pooled(function, variable(8));
  ASSERT_THAT(placed.by_entries, SizeIs(9));
  for (std::uint32_t entries = 0; entries <= 8; ++entries) {
    EXPECT_EQ(placed.by_entries[entries], place_values(function, two_levels(entries))) << entries;
  }
  EXPECT_NE(placed.by_entries[1], placed.by_entries[2]);
  EXPECT_NE(placed.by_entries[2], placed.by_entries[3]);
}

TEST(StrandWorth, IsWhatItsPlacesSave) {
  // With an entry, R1 and then R2 are in it; none is left for a second one.
  const Function function = function_of({{set(1), add(2, {1, 1}), store(0, 2), kExit}});
  const std::vector<StrandWorth> worth = worth_of(function, 2);
  EXPECT_EQ(worth[0].instructions, 4);
  EXPECT_EQ(worth[0].saved[0], 0);
  const double saved = kWrite + kRead + kWrite + kReadBySharedUnit;
  EXPECT_DOUBLE_EQ(worth[0].saved[1], saved);
  EXPECT_DOUBLE_EQ(worth[0].saved[2], saved);
  for (std::size_t at = 1; at < 4; ++at) EXPECT_EQ(worth[at], StrandWorth{}) << at;
}

TEST(StrandWorth, CountsWhatIsWrittenTwiceOrFilledAsDear) {
  // R1 is read after the barrier, too; R0 is written above as it is read.
  const Function function = function_of(
      {{set(1), add(2, {1, 0}), add(2, {1, 0}), plain(Operation::barrier), add(2, {1, 1}), kExit}});
  const std::vector<StrandWorth> worth = worth_of(function, 2);
  EXPECT_DOUBLE_EQ(worth[0].saved[1], 2 * kRead - 1.48);
  EXPECT_DOUBLE_EQ(worth[0].saved[2], 2 * kRead - 1.48 + kRead - 1.48);
  EXPECT_EQ(worth[0].instructions, 4);
}

TEST(StrandWorth, TakesTheSidesOfABranchAsEquallyLikely) {
  const Function function =
      function_of({{set(1), branch(2)}, {add(9, {1, 1}), kExit}, {set(8), set(9), kExit}});
  const std::vector<StrandWorth> worth = worth_of(function, 1);
  EXPECT_EQ(worth[0].instructions, 2 + 0.5 * 2 + 0.5 * 3);
  EXPECT_DOUBLE_EQ(worth[0].saved[1], kWrite + 0.5 * kRead);
}

TEST(StrandWorth, CountsWhatSidesHaveInCommonOnce) {
  const Function function = function_of({{set(1), branch(2)}, {set(8)}, {add(9, {1, 1}), kExit}});
  const std::vector<StrandWorth> worth = worth_of(function, 1);
  EXPECT_EQ(worth[0].instructions, 2 + 0.5 + 2);
  EXPECT_DOUBLE_EQ(worth[0].saved[1], kWrite + kRead);
}

TEST(StrandWorth, EndsWhereTheNextStrandBegins) {
  const Function function =
      function_of({{set(1), add(9, {1, 1})}, {set(1), add(9, {1, 1}), branch(1)}, {kExit}});
  const std::vector<StrandWorth> worth = worth_of(function, 1);
  EXPECT_EQ(worth[0].instructions, 2);
  EXPECT_EQ(worth[2].instructions, 3);
  EXPECT_EQ(worth[5].instructions, 1);
  EXPECT_DOUBLE_EQ(worth[0].saved[1], kWrite + kRead);
  EXPECT_DOUBLE_EQ(worth[2].saved[1], kWrite + kRead);
  EXPECT_EQ(worth[5].saved[1], 0);
}

TEST(Strands, ThatAreWorthThisOrThatHaveOneBeginning) {
  // 5 comes after 1 or after the strand that 4 begins, behind a loop.
  const Function function =
      function_of({{set(1), branch(3)}, {set(8), branch(1)}, {set(9)}, {add(9, {1, 1}), kExit}});
  EXPECT_THAT(strands_of(function, two_levels()).begins, ElementsAre(0, 2, 4));
  EXPECT_THAT(strands_of(function, variable(3)).begins, ElementsAre(0, 2, 4, 5));
}

Program compiled(const Hierarchy& hierarchy) {
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
  const Program program = compiled(variable(3));
  ASSERT_THAT(program.pooled.by_entries, SizeIs(4));
  EXPECT_THAT(program.pooled.worth, SizeIs(program.instructions.size()));
  for (std::uint32_t entries = 0; entries <= 3; ++entries) {
    EXPECT_EQ(program.pooled.by_entries[entries], compiled(two_levels(entries)).placement);
  }
  EXPECT_EQ(program.placement, program.pooled.by_entries[3]);
  for (std::size_t pc = 0; pc < program.instructions.size(); ++pc) {
    EXPECT_EQ(program.pooled.worth[pc].instructions > 0, program.placement[pc].begins_strand);
  }
}

TEST(PooledProgram, HasNoneOfThemWhereEachWarpHasTheSame) {
  EXPECT_THAT(compiled(two_levels(3)).pooled.by_entries, SizeIs(0));
}

}  // namespace
}  // namespace heddle::code::testing
