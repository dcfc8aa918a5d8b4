// Tests of the last-result file, and of encodings that restrict the levels of a result (Gebhart's
// dissertation, sections 6.2.2, 6.4.5 and 6.5.5).

#include <gmock/gmock.h>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::ElementsAre;

const Instruction kExit = plain(Operation::exit);

Hierarchy only_last_result(LastResultFile last_result) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.operand_entries = 0;
  hierarchy.last_result = last_result;
  return hierarchy;
}

TEST(LastResult, HoldsOneWordAtATime) {
  const Function function =
      function_of({{set(1), set(2), add(3, {1, 2}), add(4, {3, 3}), store(0, 4), kExit}});
  EXPECT_THAT(placed_lines(function, only_last_result(LastResultFile::unified)),
              ElementsAre("| move R1, 0x7", "move R2@l0, 0x7", "add R3@l0, R1, R2@l0",
                          "add R4, R3@l0, R3@l0", "store.global [R0], R4", "exit"));
}

TEST(LastResult, SplitHoldsOneWordPerOperandSlot) {
  const Function function = function_of({{set(1), set(2), set(3), add(4, {3, 1, 2}), kExit}});
  EXPECT_THAT(placed_lines(function, only_last_result(LastResultFile::split)),
              ElementsAre("| move R1@l1, 0x7", "move R2@l2, 0x7", "move R3@l0, 0x7",
                          "add R4, R3@l0, R1@l1, R2@l2", "exit"));
}

TEST(LastResult, SplitSkipsValueReadByTwoSlots) {
  const Hierarchy hierarchy = only_last_result(LastResultFile::split);
  EXPECT_EQ(placed_lines(function_of({{set(1), add(2, {1, 1}), kExit}}), hierarchy)[0],
            "| move R1, 0x7");
  EXPECT_EQ(
      placed_lines(function_of({{set(1), add(2, {1, 0}), add(2, {0, 1}), kExit}}), hierarchy)[0],
      "| move R1, 0x7");
  EXPECT_EQ(
      placed_lines(function_of({{set(1), add(2, {1, 0}), add(2, {1, 3}), kExit}}), hierarchy)[0],
      "| move R1@l0, 0x7");
}

TEST(LastResult, SplitSkipsValueReadByFourthSlot) {
  const Hierarchy hierarchy = only_last_result(LastResultFile::split);
  EXPECT_EQ(placed_lines(function_of({{set(1), add(2, {5, 6, 7, 1}), kExit}}), hierarchy)[0],
            "| move R1, 0x7");
}

TEST(LastResult, IsNotAccessibleToSharedUnits) {
  // A special function reads R1 and writes R2, in a shared unit. Only private units use R3.
  const Function function =
      function_of({{set(1), sine(2, 1), add(3, {2, 2}), add(4, {3, 3}), kExit}});
  EXPECT_THAT(placed_lines(function, only_last_result(LastResultFile::unified)),
              ElementsAre("| move R1, 0x7", "sin R2, R1", "add R3@l0, R2, R2",
                          "add R4, R3@l0, R3@l0", "exit"));
  Hierarchy both = usual_hierarchy();
  both.last_result = LastResultFile::unified;
  EXPECT_THAT(placed_lines(function, both),
              ElementsAre("| move R1@o0, 0x7", "sin R2@o0, R1@o0", "add R3@l0, R2@o0, R2@o0",
                          "add R4, R3@l0, R3@l0", "exit"));
}

TEST(LastResult, IsFilledBeforeOperandFile) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.last_result = LastResultFile::unified;
  // R2 has the shorter live range and gets the last-result file, which then has no space for R1.
  EXPECT_THAT(placed_lines(function_of({{set(1), set(2), add(3, {1, 2}), kExit}}), hierarchy),
              ElementsAre("| move R1@o0, 0x7", "move R2@l0, 0x7", "add R3, R1@o0, R2@l0", "exit"));
}

TEST(LastResult, IsFilledByReads) {
  const Function function = function_of({{add(1, {0, 5}), add(2, {0, 6}), kExit}});
  EXPECT_THAT(placed_lines(function, only_last_result(LastResultFile::split)),
              ElementsAre("| add R1, R0>l0, R5", "add R2, R0@l0, R6", "exit"));
}

/// R1 is read in the strand that writes it and in the next one, R2 only in the strand that writes
/// it.
Function needed_in_two_levels() {
  return function_of(
      {{set(1), add(2, {1, 1}), store(0, 2), plain(Operation::barrier), store(0, 1), kExit}});
}

TEST(ResultLevels, TwoWritesUpperLevelAndMainFile) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.last_result = LastResultFile::unified;
  EXPECT_EQ(placed_lines(needed_in_two_levels(), hierarchy)[0], "| move R1@l0+m, 0x7");
  EXPECT_EQ(placed_lines(needed_in_two_levels(), two_levels())[0], "| move R1@o0+m, 0x7");
}

TEST(ResultLevels, OneWritesMainFileIfValueLeavesStrand) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.last_result = LastResultFile::unified;
  hierarchy.result_levels = ResultLevels::one;
  EXPECT_EQ(placed_lines(needed_in_two_levels(), hierarchy)[0], "| move R1, 0x7");
  EXPECT_EQ(placed_lines(needed_in_two_levels(), hierarchy)[1], "add R2@o0, R1, R1");
}

TEST(ResultLevels, OneAllowsReadsToFillUpperLevel) {
  Hierarchy hierarchy = two_levels();
  hierarchy.result_levels = ResultLevels::one;
  EXPECT_THAT(placed_lines(function_of({{add(1, {0, 5}), add(2, {0, 6}), kExit}}), hierarchy),
              ElementsAre("| add R1, R0>o0, R5", "add R2, R0@o0, R6", "exit"));
}

TEST(ResultLevels, TwoButOperandFileForbidsOperandAndMainFile) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.last_result = LastResultFile::unified;
  hierarchy.result_levels = ResultLevels::two_not_operand_file;
  EXPECT_EQ(placed_lines(needed_in_two_levels(), hierarchy)[0], "| move R1@l0+m, 0x7");
  hierarchy.last_result = LastResultFile::none;
  EXPECT_EQ(placed_lines(needed_in_two_levels(), hierarchy)[0], "| move R1, 0x7");
}

TEST(Energies, ExpensiveAccessesAreAvoided) {
  Hierarchy hierarchy = two_levels();
  hierarchy.energies.operand_read_shared = 4;
  // Memory instructions read the main file at lower cost than the operand file; additions do not.
  EXPECT_EQ(placed_lines(function_of({{store(0, 9), store(0, 9), kExit}}), hierarchy)[0],
            "| store.global [R0], R9");
  EXPECT_EQ(placed_lines(function_of({{add(1, {0}), add(2, {0}), kExit}}), hierarchy)[0],
            "| add R1, R0>o0");
}

}  // namespace
}  // namespace heddle::code::testing
