// Tests of the places that values get (Gebhart's dissertation, section 6.4; figures are those of
// the dissertation).

#include <gmock/gmock.h>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::_;
using ::testing::ElementsAre;

const Instruction kExit = plain(Operation::exit);

TEST(PlaceValues, KeepsTemporaryInUpperLevel) {
  const Function function = function_of({{add(1, {0, 0}), add(2, {1, 1}), store(0, 2), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels()),
              ElementsAre("| add R1@o0, R0>o1, R0>o1", "add R2@o0, R1@o0, R1@o0",
                          "store.global [R0@o1], R2@o0", "exit"));
}

TEST(PlaceValues, AlsoWritesLiveOutValueToMainFile) {
  const Function function =
      function_of({{set(1), add(2, {1, 1}), plain(Operation::barrier), store(1, 2), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels()),
              ElementsAre("| move R1@o0+m, 0x7", "add R2, R1@o0, R1@o0", "barrier",
                          "| store.global [R1], R2", "exit"));
}

TEST(PlaceValues, ReadsLongLatencyResultsFromMainFile) {
  const Function function = function_of({{load(1, 0), add(2, {1, 1}), store(1, 2), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels()),
              ElementsAre("| load.global R1, [R0]", "~ add R2@o0, R1>o1, R1>o1",
                          "store.global [R1@o1], R2@o0", "exit"));
}

TEST(PlaceValues, KeepsLongLatencyResultsInUpperLevelIfAllowed) {
  const Function function = function_of({{load(1, 0), add(2, {1, 1}), store(9, 2), kExit}});
  Hierarchy hierarchy = two_levels(1);
  hierarchy.suspension_ends_strands = false;
  hierarchy.long_results_only_main = false;
  EXPECT_THAT(placed_lines(function, hierarchy),
              ElementsAre("| load.global R1@o0, [R0]", "~ add R2@o0, R1@o0, R1@o0",
                          "store.global [R9], R2@o0", "exit"));
}

TEST(PlaceValues, PrefersManyReadsInShortRange) {
  // There is one entry. R1 has a longer live range than R2 and R3, so it saves less per instruction
  // of its range.
  const Function function = function_of(
      {{set(1), set(2), add(9, {2, 2}), set(3), add(9, {3, 3}), add(9, {1, 1}), kExit}});
  Hierarchy hierarchy = two_levels(1);
  hierarchy.partial_ranges = false;
  EXPECT_THAT(placed_lines(function, hierarchy),
              ElementsAre("| move R1, 0x7", "move R2@o0, 0x7", "add R9, R2@o0, R2@o0",
                          "move R3@o0, 0x7", "add R9, R3@o0, R3@o0", "add R9, R1, R1", "exit"));
}

TEST(PlaceValues, LetsInstructionWriteEntryThatItReads) {
  const Function function =
      function_of({{set(1), add(2, {1, 1}), add(3, {2, 2}), store(3, 3), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels(1)),
              ElementsAre("| move R1@o0, 0x7", "add R2@o0, R1@o0, R1@o0", "add R3@o0, R2@o0, R2@o0",
                          "store.global [R3@o0], R3@o0", "exit"));
}

/// Figure 6.7(a): R1 is read soon after it is written, and again much later. Values in between need
/// the entry.
Function read_again_much_later() {
  return function_of({{set(1), add(2, {1, 0}), add(3, {1, 0}), add(4, {1, 0}), set(5),
                       add(6, {5, 5}), set(5), add(6, {5, 5}), add(7, {1, 0}), kExit}});
}

TEST(PartialRanges, ServeFirstReadsOnly) {
  Hierarchy hierarchy = two_levels(1);
  hierarchy.read_operands = false;
  EXPECT_THAT(placed_lines(read_again_much_later(), hierarchy),
              ElementsAre("| move R1@o0+m, 0x7", "add R2, R1@o0, R0", "add R3, R1@o0, R0",
                          "add R4, R1@o0, R0", "move R5@o0, 0x7", "add R6, R5@o0, R5@o0",
                          "move R5@o0, 0x7", "add R6, R5@o0, R5@o0", "add R7, R1, R0", "exit"));
}

/// One entry, where an access costs 1. An access to the main file costs 10, so a read from the
/// entry saves 9.
Hierarchy round_figure_hierarchy(ShortenedOrder order) {
  Hierarchy hierarchy = two_levels(1);
  hierarchy.read_operands = false;
  hierarchy.energies = {.main_read = 10,
                        .main_write = 10,
                        .operand_read_private = 1,
                        .operand_read_shared = 1,
                        .operand_write_private = 1,
                        .operand_write_shared = 1};
  hierarchy.shortened_order = order;
  return hierarchy;
}

TEST(PartialRanges, AreRetriedBySavingsAtOnceOrLast) {
  // Savings per instruction of the live range decide the order. R5 saves 18 and is placed first. R1
  // saves 45 / 8 with all reads, but then overlaps R5; without its last read it saves 26 / 4. R2
  // saves 18 / 4. R1 and R2 do not both fit.
  const Function function =
      function_of({{set(1), set(2), add(9, {1, 0}), add(9, {1, 0}), add(9, {1, 0}), add(9, {2, 0}),
                    set(5), add(6, {5, 5}), add(7, {1, 0}), kExit}});
  for (const ShortenedOrder order : {ShortenedOrder::by_savings, ShortenedOrder::immediate}) {
    const std::vector<std::string> lines = placed_lines(function, round_figure_hierarchy(order));
    EXPECT_EQ(lines[0], "| move R1@o0+m, 0x7");
    EXPECT_EQ(lines[1], "move R2, 0x7");
  }
  const std::vector<std::string> last =
      placed_lines(function, round_figure_hierarchy(ShortenedOrder::last));
  EXPECT_EQ(last[0], "| move R1, 0x7");
  EXPECT_EQ(last[1], "move R2@o0, 0x7");
}

TEST(PartialRanges, RetriedAtOncePrecedeValuesThatSaveMore) {
  // R5 is placed first. Per instruction of its live range, R1 saves 54 / 11 with all reads and 8 /
  // 2 with its first one. R2 saves 18 / 4.
  const Function function = function_of(
      {{set(1), set(2), add(9, {1, 0}), add(9, {0, 0}), add(9, {0, 0}), add(9, {2, 0}), set(5),
        add(6, {5, 5}), add(7, {1, 0}), add(7, {1, 0}), add(7, {1, 0}), add(7, {1, 0}), kExit}});
  for (const ShortenedOrder order : {ShortenedOrder::by_savings, ShortenedOrder::last}) {
    const std::vector<std::string> lines = placed_lines(function, round_figure_hierarchy(order));
    EXPECT_EQ(lines[0], "| move R1, 0x7");
    EXPECT_EQ(lines[1], "move R2@o0, 0x7");
  }
  const std::vector<std::string> at_once =
      placed_lines(function, round_figure_hierarchy(ShortenedOrder::immediate));
  EXPECT_EQ(at_once[0], "| move R1@o0+m, 0x7");
  EXPECT_EQ(at_once[1], "move R2, 0x7");
}

TEST(PartialRanges, CanBeDisabled) {
  Hierarchy hierarchy = two_levels(1);
  hierarchy.read_operands = false;
  hierarchy.partial_ranges = false;
  EXPECT_EQ(placed_lines(read_again_much_later(), hierarchy)[0], "| move R1, 0x7");
}

TEST(PartialRanges, AreNotUsedIfWriteCostsMoreThanReadSaves) {
  Hierarchy hierarchy = two_levels(1);
  hierarchy.read_operands = false;
  hierarchy.energies.operand_write_private = 3.3;
  const Function function =
      function_of({{set(1), add(2, {1, 0}), set(5), add(6, {5, 5}), add(7, {1, 0}), kExit}});
  // Serving one read saves 3.22 and costs 3.3.
  EXPECT_THAT(placed_lines(function, hierarchy),
              ElementsAre("| move R1, 0x7", "add R2, R1, R0", "move R5@o0, 0x7",
                          "add R6, R5@o0, R5@o0", "add R7, R1, R0", "exit"));
}

TEST(ReadOperands, AreFilledByFirstRead) {
  // Figure 6.7(b).
  const Function function = function_of({{add(1, {0, 9}), add(2, {0, 9}), add(3, {0, 8}), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels(1)),
              ElementsAre("| add R1, R0>o0, R9", "add R2, R0@o0, R9", "add R3, R0@o0, R8", "exit"));
}

TEST(ReadOperands, CanBeDisabled) {
  Hierarchy hierarchy = two_levels();
  hierarchy.read_operands = false;
  const Function function = function_of({{add(1, {0, 0}), add(2, {0, 0}), kExit}});
  EXPECT_THAT(placed_lines(function, hierarchy),
              ElementsAre("| add R1, R0, R0", "add R2, R0, R0", "exit"));
}

TEST(ReadOperands, CanBeShortened) {
  const Function function = function_of(
      {{add(1, {0, 9}), add(2, {0, 8}), set(5), add(6, {5, 5}), add(3, {0, 7}), kExit}});
  Hierarchy hierarchy = two_levels(1);
  EXPECT_THAT(placed_lines(function, hierarchy),
              ElementsAre("| add R1, R0>o0, R9", "add R2, R0@o0, R8", "move R5@o0, 0x7",
                          "add R6, R5@o0, R5@o0", "add R3, R0, R7", "exit"));
}

TEST(ReadOperands, AreNotFilledByGuardedReads) {
  const Function function =
      function_of({{guarded(add(1, {0, 0})), add(2, {0, 0}), add(3, {0, 0}), kExit}});
  EXPECT_THAT(
      placed_lines(function, two_levels()),
      ElementsAre("| @P0 add R1, R0, R0", "add R2, R0>o0, R0>o0", "add R3, R0@o0, R0@o0", "exit"));
}

TEST(ReadOperands, ServeMergeOnlyIfEveryPathFills) {
  const Function everywhere =
      function_of({{add(1, {0, 0}), branch(2)}, {add(2, {0, 0})}, {add(3, {0, 0}), kExit}});
  EXPECT_THAT(placed_lines(everywhere, two_levels()),
              ElementsAre("| add R1, R0>o0, R0>o0", _, "add R2, R0@o0, R0@o0",
                          "add R3, R0@o0, R0@o0", "exit"));
  const Function one_path =
      function_of({{set(1), branch(2)}, {add(2, {0, 0})}, {add(3, {0, 0}), add(4, {0, 0}), kExit}});
  EXPECT_THAT(placed_lines(one_path, two_levels()),
              ElementsAre("| move R1, 0x7", _, "add R2, R0, R0", "add R3, R0>o0, R0>o0",
                          "add R4, R0@o0, R0@o0", "exit"));
}

TEST(ForwardBranches, MergeReadsMainFileIfOnePathDoesNotWrite) {
  // Figure 6.9(a).
  const Function function = function_of({{branch(2)}, {set(1)}, {store(0, 1), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels()),
              ElementsAre(_, "move R1, 0x7", "store.global [R0], R1", "exit"));
}

TEST(ForwardBranches, ReadOnWritingPathIsServed) {
  // Figure 6.9(b).
  const Function function =
      function_of({{branch(2)}, {set(1), add(2, {1, 1})}, {store(0, 1), kExit}});
  EXPECT_THAT(
      placed_lines(function, two_levels()),
      ElementsAre(_, "move R1@o0+m, 0x7", "add R2, R1@o0, R1@o0", "store.global [R0], R1", "exit"));
}

/// Figure 6.9(c).
Function written_on_both_paths() {
  return function_of(
      {{branch(2)}, {set(1), jump(3)}, {set(2), add(1, {2, 2})}, {store(0, 1), kExit}});
}

TEST(ForwardBranches, MergeReadsEntryIfBothPathsWriteIt) {
  EXPECT_THAT(placed_lines(written_on_both_paths(), two_levels()),
              ElementsAre(_, "move R1@o0, 0x7", _, "move R2@o0, 0x7", "add R1@o0, R2@o0, R2@o0",
                          "store.global [R0], R1@o0", "exit"));
}

TEST(ForwardBranches, CanBeDisabled) {
  Hierarchy hierarchy = two_levels();
  hierarchy.forward_branches = false;
  EXPECT_THAT(placed_lines(written_on_both_paths(), hierarchy),
              ElementsAre(_, "| move R1, 0x7", _, "| move R2@o0, 0x7", "add R1, R2@o0, R2@o0",
                          "| store.global [R0], R1", "exit"));
}

TEST(ForwardBranches, PathsShareOneEntry) {
  const Function function = function_of(
      {{branch(2)}, {set(1), add(9, {1, 1}), jump(3)}, {set(2), add(9, {2, 2})}, {kExit}});
  EXPECT_THAT(placed_lines(function, two_levels(1)),
              ElementsAre(_, "move R1@o0, 0x7", "add R9, R1@o0, R1@o0", _, "move R2@o0, 0x7",
                          "add R9, R2@o0, R2@o0", "exit"));
}

TEST(Guards, ValueOfTwoWritersHasOnePlace) {
  // Threads that the guard excludes read the result of the first instruction.
  const Function function = function_of({{set(1), guarded(set(1)), store(0, 1), kExit}});
  EXPECT_THAT(
      placed_lines(function, two_levels()),
      ElementsAre("| move R1@o0, 0x7", "@P0 move R1@o0, 0x7", "store.global [R0], R1@o0", "exit"));
}

TEST(Guards, ValuePartlyFromAnotherStrandIsInMainFile) {
  const Function function = function_of({{guarded(set(1)), store(0, 1), kExit}});
  EXPECT_THAT(placed_lines(function, two_levels()),
              ElementsAre("| @P0 move R1, 0x7", "store.global [R0], R1", "exit"));
}

TEST(Guards, WholeWriteDiscardsOldValue) {
  Instruction whole = guarded(set(1));
  whole.writes_whole = true;
  EXPECT_THAT(placed_lines(function_of({{whole, store(0, 1), kExit}}), two_levels()),
              ElementsAre("| @P0 move R1@o0, 0x7", "store.global [R0], R1@o0", "exit"));
}

TEST(WideValues, HavePlaceForEachWord) {
  const Instruction wide = instruction_of(Operation::add, {Operand::reg(2, 2)},
                                          {Operand::reg(4, 2), Operand::reg(4, 2)});
  const Instruction high = add(6, {3});
  const Instruction use = instruction_of(Operation::neg, {Operand::reg(8)}, {Operand::reg(2, 2)});
  EXPECT_THAT(
      placed_lines(function_of({{wide, high, use, kExit}}), two_levels(2)),
      ElementsAre("| add R2:3@o1:o0, R4:5, R4:5", "add R6, R3@o0", "neg R8, R2:3@o1:o0", "exit"));
  EXPECT_THAT(
      placed_lines(function_of({{wide, high, use, kExit}}), two_levels(1)),
      ElementsAre("| add R2:3@m:o0, R4:5, R4:5", "add R6, R3@o0", "neg R8, R2:3@m:o0", "exit"));
}

}  // namespace
}  // namespace heddle::code::testing
