// Tests of the compiler's marks for hardware that places values itself: results that a shared unit
// may read must not be in the last-result file, which such a unit cannot access.

#include "code/placement/for_hardware.h"

#include <gtest/gtest.h>

#include <vector>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

/// For each result in order: whether it is kept out of the last-result file.
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

TEST(PlacesForHardware, KeepSharedUnitOperandsOutOfLastResultFile) {
  EXPECT_EQ(kept_out(function_of({{set(1), add(2, {1}), sine(3, 2), add(4, {3}), store(4, 4),
                                   plain(Operation::exit)}})),
            (std::vector<bool>{false, true, false, true}));
}

TEST(PlacesForHardware, ConsiderReadsUpToNextWriteOfRegister) {
  EXPECT_EQ(
      kept_out(function_of({{set(1), add(2, {1}), set(1), sine(3, 1), plain(Operation::exit)}})),
      (std::vector<bool>{false, false, true, false}));
}

TEST(PlacesForHardware, ConsiderReadsOnBothBranchPaths) {
  EXPECT_EQ(kept_out(function_of({{set(1), set(2), branch(2)},
                                  {add(3, {2}), plain(Operation::exit)},
                                  {sine(4, 1), plain(Operation::exit)}})),
            (std::vector<bool>{true, false, false, false}));
}

TEST(PlacesForHardware, ConsiderReadsInNextLoopIteration) {
  EXPECT_EQ(
      kept_out(function_of({{set(1)}, {sine(2, 1), set(1), branch(1)}, {plain(Operation::exit)}})),
      (std::vector<bool>{true, false, true}));
}

TEST(PlacesForHardware, ConsiderOldValueAcrossGuardedWrite) {
  EXPECT_EQ(kept_out(function_of({{set(1), guarded(set(1)), sine(2, 1), plain(Operation::exit)}})),
            (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace heddle::code::testing
