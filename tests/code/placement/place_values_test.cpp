// Which values are kept where (Gebhart's dissertation, section 6.4).

#include <gmock/gmock.h>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::ElementsAre;

const Instruction kExit = plain(Operation::exit);

TEST(PlaceValues, KeepsATemporaryAboveTheMainFile) {
  const Function function = function_of({{add(1, {0, 0}), add(2, {1, 1}), store(0, 2), kExit}});
  EXPECT_THAT(placed(function, two_levels()),
              ElementsAre("| add R1@o0, R0>o1, R0>o1", "add R2@o0, R1@o0, R1@o0",
                          "store.global [R0@o1], R2@o0", "exit"));
}

TEST(PlaceValues, WritesWhatLeavesTheStrandToTheMainFileToo) {
  const Function function =
      function_of({{set(1), add(2, {1, 1}), plain(Operation::barrier), store(1, 2), kExit}});
  EXPECT_THAT(placed(function, two_levels()),
              ElementsAre("| move R1@o0+m, 0x7", "add R2, R1@o0, R1@o0", "barrier",
                          "| store.global [R1], R2", "exit"));
}

TEST(PlaceValues, TakesLateResultsFromTheMainFile) {
  const Function function = function_of({{load(1, 0), add(2, {1, 1}), store(1, 2), kExit}});
  EXPECT_THAT(placed(function, two_levels()),
              ElementsAre("| load.global R1, [R0]", "~ add R2@o0, R1>o1, R1>o1",
                          "store.global [R1@o1], R2@o0", "exit"));
}

}  // namespace
}  // namespace heddle::code::testing
