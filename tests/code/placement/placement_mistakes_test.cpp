// Tests of the placement checks themselves: they must find each change that makes a correct
// placement wrong.

#include <gtest/gtest.h>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

const Instruction kExit = plain(Operation::exit);

bool static_check_finds(const Program& program, const Hierarchy& hierarchy) {
  return !mistakes_in(program, program.functions[0], hierarchy).empty();
}

bool simulated_warp_finds(const Program& program, const Hierarchy& hierarchy) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    if (!mistakes_of_simulated_warp(program, program.functions[0], hierarchy, seed, 300).empty())
      return true;
  }
  return false;
}

/// A program with values in all levels, a branch, a long-latency result and a live-out value.
Program correct_program(const Hierarchy& hierarchy) {
  const Function function = function_of(
      {{set(1), add(2, {1, 0}), add(3, {2, 0}), branch(2)},
       {add(4, {3, 1}), jump(3)},
       {add(4, {1, 3})},
       {load(5, 4), add(6, {4, 0}), add(7, {6, 4}), add(8, {5, 7}), store(8, 3), kExit}});
  return place_and_assemble(function, hierarchy);
}

TEST(PlacementMistakes, AreAbsentFromCorrectProgram) {
  expect_correct(correct_program(usual_hierarchy()), usual_hierarchy());
}

TEST(PlacementMistakes, AreDetectedForWrongReadPlaces) {
  const Hierarchy hierarchy = usual_hierarchy();
  const Program right = correct_program(hierarchy);
  int changed = 0;
  for (std::size_t i = 0; i < right.placement.size(); ++i) {
    for (std::size_t k = 0; k < right.placement[i].reads.size(); ++k) {
      const UpperPlace from = right.placement[i].reads[k].from;
      if (!from.present()) continue;
      Program wrong = right;
      wrong.placement[i].reads[k].from.entry = static_cast<std::uint8_t>((from.entry + 1) % 3);
      EXPECT_TRUE(static_check_finds(wrong, hierarchy)) << i;
      EXPECT_TRUE(simulated_warp_finds(wrong, hierarchy)) << i;
      ++changed;
    }
  }
  EXPECT_GE(changed, 6);
}

TEST(PlacementMistakes, AreDetectedForWrongResultPlaces) {
  const Hierarchy hierarchy = usual_hierarchy();
  const Program right = correct_program(hierarchy);
  int changed = 0;
  for (std::size_t i = 0; i < right.placement.size(); ++i) {
    for (std::size_t k = 0; k < right.placement[i].writes.size(); ++k) {
      const WritePlace place = right.placement[i].writes[k];
      if (!place.upper.present()) continue;
      Program wrong = right;
      wrong.placement[i].writes[k].upper.entry =
          static_cast<std::uint8_t>((place.upper.entry + 1) % 3);
      EXPECT_TRUE(static_check_finds(wrong, hierarchy)) << i;
      EXPECT_TRUE(simulated_warp_finds(wrong, hierarchy)) << i;
      ++changed;
    }
  }
  EXPECT_GE(changed, 4);
}

TEST(PlacementMistakes, AreDetectedForResultMissingFromMainFile) {
  const Hierarchy hierarchy = usual_hierarchy();
  const Program right = correct_program(hierarchy);
  int changed = 0;
  for (std::size_t i = 0; i < right.placement.size(); ++i) {
    for (std::size_t k = 0; k < right.placement[i].writes.size(); ++k) {
      if (!right.placement[i].writes[k].live_out) continue;
      Program wrong = right;
      wrong.placement[i].writes[k].main = false;
      EXPECT_TRUE(static_check_finds(wrong, hierarchy)) << i;
      EXPECT_TRUE(simulated_warp_finds(wrong, hierarchy)) << i;
      ++changed;
    }
  }
  EXPECT_GE(changed, 3);
}

TEST(PlacementMistakes, AreDetectedForMissingFill) {
  const Hierarchy hierarchy = two_levels();
  Program program =
      place_and_assemble(function_of({{add(1, {0, 0}), add(2, {0, 0}), kExit}}), hierarchy);
  ASSERT_TRUE(program.placement[0].reads[0].fill_place.present());
  program.placement[0].reads[0].fill_place = {};
  EXPECT_TRUE(static_check_finds(program, hierarchy));
  EXPECT_TRUE(simulated_warp_finds(program, hierarchy));
}

TEST(PlacementMistakes, AreDetectedForMissingSuspension) {
  const Hierarchy hierarchy = usual_hierarchy();
  Program program = correct_program(hierarchy);
  for (InstructionPlacement& placement : program.placement) placement.suspends = false;
  EXPECT_TRUE(static_check_finds(program, hierarchy));
  EXPECT_TRUE(simulated_warp_finds(program, hierarchy));
}

TEST(PlacementMistakes, AreDetectedForValueLostToSuspendedPath) {
  const Function function = function_of({{set(1), branch(2)},
                                         {load(2, 0), add(3, {2, 2}), jump(3)},
                                         {add(4, {1, 1})},
                                         {store(0, 4), kExit}});
  const Hierarchy hierarchy = two_levels();
  Program program = place_and_assemble(function, hierarchy);
  expect_correct(program, hierarchy);
  EXPECT_FALSE(program.placement[5].reads[0].from.present());
  // Change the placement to one that ignores the suspension on the other path.
  const UpperPlace entry{RegisterLevel::operand, 2};
  program.placement[0].writes[0].upper = entry;
  program.placement[0].writes[0].live_out = false;
  program.placement[5].begins_strand = false;
  program.placement[5].reads[0].from = entry;
  EXPECT_TRUE(static_check_finds(program, hierarchy));
  EXPECT_TRUE(simulated_warp_finds(program, hierarchy));
}

TEST(PlacementMistakes, AreDetectedForValueLostAtBarrier) {
  const Function function =
      function_of({{set(1), plain(Operation::barrier), add(2, {1, 1}), kExit}});
  const Hierarchy hierarchy = two_levels();
  Program program = place_and_assemble(function, hierarchy);
  const UpperPlace entry{RegisterLevel::operand, 0};
  program.placement[0].writes[0].upper = entry;
  program.placement[2].begins_strand = false;
  program.placement[2].reads[0].from = entry;
  EXPECT_TRUE(static_check_finds(program, hierarchy));
  EXPECT_TRUE(simulated_warp_finds(program, hierarchy));
}

TEST(PlacementMistakes, AreDetectedForSharedUnitUsingLastResultFile) {
  const Hierarchy hierarchy = usual_hierarchy();
  Program program = place_and_assemble(function_of({{set(1), sine(2, 1), kExit}}), hierarchy);
  program.placement[0].writes[0].upper = {RegisterLevel::last_result, 0};
  program.placement[1].reads[0].from = {RegisterLevel::last_result, 0};
  EXPECT_TRUE(static_check_finds(program, hierarchy));
}

}  // namespace
}  // namespace heddle::code::testing
