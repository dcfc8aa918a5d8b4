// Tests of unguarded jumps, which read no registers: where strands begin (code that begins with
// empty upper levels; Gebhart's dissertation, section 6.3). Numbers beside the code are positions
// of instructions.

#include <gmock/gmock.h>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JumpsAndStrands, ForwardJumpKeepsValueInPlace) {
  EXPECT_THAT(placed_lines(function_of({{set(1), jump(2)},                           // 0, 1
                                        {set(2), plain(Operation::exit)},            // 2, 3
                                        {add(2, {1, 1}), plain(Operation::exit)}}),  // 4, 5
                           two_levels()),
              ElementsAre("| move R1@o0, 0x7", "branch 4 (reconverges at 4)", "| move R2, 0x7",
                          "exit", "add R2, R1@o0, R1@o0", "exit"));
}

TEST(JumpsAndStrands, BackwardJumpEndsLoopStrandButNotLoopExit) {
  // The loop is left in the middle of an iteration, so upper levels keep the values of that
  // iteration.
  const StrandMarks marks = strands_of(function_of({{set(1)},                      // 0
                                                    {add(2, {1, 1}), branch(3)},   // 1, 2
                                                    {add(1, {2, 1}), jump(1)},     // 3, 4
                                                    {add(3, {2, 2}), store(3, 1),  // 5, 6
                                                     plain(Operation::exit)}}),    // 7
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1));
  EXPECT_THAT(marks.suspensions, IsEmpty());
}

TEST(JumpsAndStrands, StrandCanBeginWithJump) {
  // The block after the loop only has a jump, to which the backward branch may fall through.
  const StrandMarks marks = strands_of(function_of({{set(1)},                     // 0
                                                    {add(1, {1, 1}), branch(1)},  // 1, 2
                                                    {jump(4)},                    // 3
                                                    {set(1)},                     // 4
                                                    {store(1, 1), plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1, 3, 4));
}

TEST(JumpsAndStrands, JumpToItsOwnBlockEndsStrandInEachIteration) {
  const StrandMarks marks = strands_of(
      function_of({{set(1)}, {add(1, {1, 1}), add(1, {1, 1}), jump(1)}}), usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1));
}

TEST(JumpsAndStrands, JumpDoesNotWaitForPendingLoad) {
  const StrandMarks marks = strands_of(function_of({{load(1, 0), jump(2)},       // 0, 1
                                                    {plain(Operation::exit)},    // 2
                                                    {set(2),                     // 3
                                                     add(3, {1, 2}),             // 4
                                                     plain(Operation::exit)}}),  // 5
                                       usual_hierarchy());
  EXPECT_THAT(marks.suspensions, ElementsAre(4));
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2, 4));
}

TEST(JumpsAndStrands, NextIterationWaitsForLoad) {
  const StrandMarks marks = strands_of(function_of({{set(0), set(1)},             // 0, 1
                                                    {add(2, {1, 0}), branch(3)},  // 2, 3
                                                    {load(1, 0), jump(1)},        // 4, 5
                                                    {store(0, 2), plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.suspensions, ElementsAre(2));
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2, 6));
}

}  // namespace
}  // namespace heddle::code::testing
