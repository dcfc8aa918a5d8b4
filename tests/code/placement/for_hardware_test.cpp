// What hardware with a last-result file is told of results: which of them a unit that cannot read
// it may read.

#include "code/placement/for_hardware.h"

#include <gtest/gtest.h>

#include <vector>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

/// Of each instruction with a result, whether that is kept out of the last-result file.
std::vector<bool> kept_out(const Function& function) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.managed = false;
  std::vector<bool> kept;
  for (const InstructionPlacement& placement : place_for_hardware(function, hierarchy)) {
    for (const WritePlace& write : placement.writes) {
      EXPECT_TRUE(write.upper.present());
      kept.push_back(write.upper.level == RegisterLevel::operand);
    }
  }
  return kept;
}

TEST(PlacesForHardware, KeepWhatASharedUnitReadsOutOfTheLastResultFile) {
  EXPECT_EQ(kept_out(function_of({{set(1), add(2, {1}), sine(3, 2), add(4, {3}), store(4, 4),
                                   plain(Operation::exit)}})),
            (std::vector<bool>{false, true, false, true}));
}

TEST(PlacesForHardware, GoByTheNextWriteOfARegister) {
  EXPECT_EQ(
      kept_out(function_of({{set(1), add(2, {1}), set(1), sine(3, 1), plain(Operation::exit)}})),
      (std::vector<bool>{false, false, true, false}));
}

TEST(PlacesForHardware, SeeWhatEitherSideOfABranchReads) {
  EXPECT_EQ(kept_out(function_of({{set(1), set(2), branch(2)},
                                  {add(3, {2}), plain(Operation::exit)},
                                  {sine(4, 1), plain(Operation::exit)}})),
            (std::vector<bool>{true, false, false, false}));
}

TEST(PlacesForHardware, SeeWhatTheNextTurnOfALoopReads) {
  EXPECT_EQ(
      kept_out(function_of({{set(1)}, {sine(2, 1), set(1), branch(1)}, {plain(Operation::exit)}})),
      (std::vector<bool>{true, false, true}));
}

TEST(PlacesForHardware, AWriteUnderAGuardLeavesTheOlderValueToBeRead) {
  EXPECT_EQ(kept_out(function_of({{set(1), guarded(set(1)), sine(2, 1), plain(Operation::exit)}})),
            (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace heddle::code::testing
