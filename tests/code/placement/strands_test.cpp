// Tests of where strands begin (code that begins with empty upper levels) and where warps are
// suspended (Gebhart's dissertation, section 6.3). Numbers beside the code are positions of
// instructions.

#include <gmock/gmock.h>

#include <utility>

#include "placed_code.h"

namespace heddle::code::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Strands, BeginAtLoopsAndUsesOfLoads) {
  // Figure 6.4(a): a loop with a load that it uses.
  const StrandMarks marks = strands_of(function_of({{set(0)},                    // 0
                                                    {load(1, 0),                 // 1
                                                     add(2, {0, 0}),             // 2
                                                     add(3, {1, 2}),             // 3
                                                     branch(1)},                 // 4
                                                    {store(0, 3),                // 5
                                                     plain(Operation::exit)}}),  // 6
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1, 3, 5));
  EXPECT_THAT(marks.suspensions, ElementsAre(3));
}

TEST(Strands, EndAtBackwardBranchOnBothPaths) {
  const StrandMarks marks = strands_of(function_of({{set(0)},                     // 0
                                                    {add(1, {0, 0}), branch(1)},  // 1, 2
                                                    {add(2, {1, 0}), plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1, 3));
  EXPECT_THAT(marks.suspensions, IsEmpty());
}

TEST(Strands, BeginWherePendingLoadsAreUncertain) {
  // Figure 6.4(b): only one path to block 3 waits for the load.
  const StrandMarks marks = strands_of(function_of({{load(1, 0), branch(2)},    // 0, 1
                                                    {add(2, {0, 0}), jump(3)},  // 2, 3
                                                    {add(2, {1, 0})},           // 4
                                                    {add(3, {2, 0}),            // 5
                                                     store(3, 1),               // 6
                                                     plain(Operation::exit)}}),
                                       usual_hierarchy());
  // A strand begins at block 1 (position 2), too: the path through block 2 may have run before and
  // suspended the warp.
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2, 4, 5, 6));
  EXPECT_THAT(marks.suspensions, ElementsAre(4, 6));
}

TEST(Strands, BeginAtMergeAfterLoadOnOnePath) {
  const StrandMarks marks = strands_of(function_of({{branch(2)},      // 0
                                                    {load(1, 0)},     // 1
                                                    {add(2, {0, 0}),  // 2
                                                     add(3, {1, 2}),  // 3
                                                     plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2, 3));
  EXPECT_THAT(marks.suspensions, ElementsAre(3));
}

TEST(Strands, ContinueAtMergeIfAllPathsHaveSamePendingLoads) {
  const StrandMarks marks = strands_of(function_of({{branch(2)},            // 0
                                                    {load(1, 0), jump(3)},  // 1, 2
                                                    {load(1, 2)},           // 3
                                                    {add(2, {0, 0}),        // 4
                                                     add(3, {1, 2}),        // 5
                                                     plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 5));
  EXPECT_THAT(marks.suspensions, ElementsAre(5));
}

TEST(Strands, WaitForAllPendingLoadsAtOnce) {
  const StrandMarks marks =
      strands_of(function_of({{load(1, 0), load(2, 0), add(3, {2, 0}), add(4, {1, 0}),
                               add(5, {2, 1}), plain(Operation::exit)}}),
                 usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2));
  EXPECT_THAT(marks.suspensions, ElementsAre(2));
}

TEST(Strands, EndBeforeLoadedResultIsOverwritten) {
  const StrandMarks marks =
      strands_of(function_of({{load(1, 0), set(1), add(2, {1, 0}), plain(Operation::exit)}}),
                 usual_hierarchy());
  EXPECT_THAT(marks.suspensions, ElementsAre(1));
}

bool loads_predicates(const Instruction& instruction) {
  return instruction.operation == Operation::setp;
}

TEST(Strands, EndBeforePendingGuard) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.is_long_latency = loads_predicates;
  const Instruction compare =
      instruction_of(Operation::setp, {Operand::predicate(3)}, registers({1, 2}));
  const StrandMarks marks = strands_of(
      function_of({{compare, guarded(set(4), 2), guarded(set(5), 3), plain(Operation::exit)}}),
      hierarchy);
  EXPECT_THAT(marks.suspensions, ElementsAre(2));
}

TEST(Strands, EndAtBarrierWithoutWaitingForLoads) {
  const StrandMarks marks = strands_of(function_of({{load(1, 0), plain(Operation::barrier), set(2),
                                                     add(3, {1, 2}), plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 2, 3));
  EXPECT_THAT(marks.suspensions, ElementsAre(3));
}

TEST(Strands, ContinueAtBarrierIfItKeepsValues) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.barriers_end_strands = false;
  const Function function = function_of(
      {{load(1, 0), plain(Operation::barrier), set(2), add(3, {1, 2}), plain(Operation::exit)}});
  EXPECT_THAT(strands_of(function, hierarchy).beginnings, ElementsAre(0, 3));
  EXPECT_THAT(strands_of(function, hierarchy).suspensions, ElementsAre(3));
  // A path with a barrier does not end the strands of other paths.
  const Function branching = function_of({{set(1), branch(2)},
                                          {plain(Operation::barrier), add(2, {1, 1})},
                                          {add(3, {1, 1}), plain(Operation::exit)}});
  EXPECT_THAT(strands_of(branching, hierarchy).beginnings, ElementsAre(0));
}

TEST(Strands, EndAtCallAndWaitForLoads) {
  Instruction call = plain(Operation::call);
  call.target = 0;
  const StrandMarks marks =
      strands_of(function_of({{load(1, 0), call, set(2), call, set(2), plain(Operation::exit)}}),
                 usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(marks.suspensions, ElementsAre(1));
}

TEST(Strands, WaitForLoadsBeforeFunctionReturn) {
  Function function = function_of({{load(1, 0), plain(Operation::ret)}});
  EXPECT_THAT(strands_of(function, usual_hierarchy()).suspensions, IsEmpty());
  function.is_kernel = false;
  EXPECT_THAT(strands_of(function, usual_hierarchy()).suspensions, ElementsAre(1));
}

TEST(Strands, EndWithEachBlockIfForwardBranchesAreOff) {
  const Function function = function_of(
      {{set(1), branch(2)}, {add(2, {1, 1})}, {add(3, {1, 1}), plain(Operation::exit)}});
  Hierarchy hierarchy = usual_hierarchy();
  EXPECT_THAT(strands_of(function, hierarchy).beginnings, ElementsAre(0));
  hierarchy.forward_branches = false;
  EXPECT_THAT(strands_of(function, hierarchy).beginnings, ElementsAre(0, 2, 3));
}

/// A branch with two paths: block 1, which executes `suspending`, and block 2.
Function with_path(std::vector<Instruction> suspending) {
  suspending.push_back(jump(3));
  return function_of({{set(1), branch(2)},
                      std::move(suspending),
                      {add(3, {1, 1}), add(4, {3, 3})},
                      {add(5, {1, 1}), plain(Operation::exit)}});
}

TEST(DivergentThreads, LoseUpperLevelsIfAnotherPathSuspends) {
  // Threads in block 2 do not execute the suspending instruction, but may run after it.
  const Function used = with_path({load(2, 0), add(2, {2, 1})});
  EXPECT_THAT(strands_of(used, usual_hierarchy()).beginnings, ElementsAre(0, 3, 5, 7));
  const Function barrier = with_path({plain(Operation::barrier), add(2, {1, 1})});
  EXPECT_THAT(strands_of(barrier, usual_hierarchy()).beginnings, ElementsAre(0, 3, 5, 7));
}

TEST(DivergentThreads, KeepUpperLevelsIfNoPathSuspends) {
  const Function function = with_path({add(2, {1, 1}), add(2, {2, 1})});
  EXPECT_THAT(strands_of(function, usual_hierarchy()).beginnings, ElementsAre(0));
}

TEST(DivergentThreads, LoseNothingIfSuspensionDoesNotEndStrands) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.suspension_ends_strands = false;
  const StrandMarks marks =
      strands_of(with_path({load(2, 0), add(2, {2, 1}), plain(Operation::barrier)}), hierarchy);
  EXPECT_THAT(marks.beginnings, ElementsAre(0));
  EXPECT_THAT(marks.suspensions, ElementsAre(3));
}

TEST(DivergentThreads, LoseUpperLevelsWhileWaitingForSuspendedPath) {
  Function function = with_path({load(2, 0), add(2, {2, 1})});
  auto& other_path = function.blocks[2].instructions;
  other_path.insert(other_path.begin() + 1,
                    instruction_of(Operation::warp_sync, {}, {Operand::immediate(0xffffffff)}));
  EXPECT_THAT(strands_of(function, usual_hierarchy()).beginnings, ElementsAre(0, 3, 5, 7, 8));
}

TEST(DivergentThreads, ContinueStrandAcrossWarpSyncWithoutDivergence) {
  const Function function = function_of(
      {{set(1), instruction_of(Operation::warp_sync, {}, {Operand::immediate(0xffffffff)}),
        add(2, {1, 1}), plain(Operation::exit)}});
  EXPECT_THAT(strands_of(function, usual_hierarchy()).beginnings, ElementsAre(0));
}

TEST(DivergentThreads, LoseUpperLevelsAfterLoopThatOthersContinue) {
  // Threads that leave the loop first wait for the others, which suspend the warp in the next
  // iteration.
  const StrandMarks marks = strands_of(function_of({{set(1)},                   // 0
                                                    {load(2, 1), branch(3)},    // 1, 2
                                                    {add(1, {2, 1}), jump(1)},  // 3, 4
                                                    {add(4, {1, 1}), plain(Operation::exit)}}),
                                       usual_hierarchy());
  EXPECT_THAT(marks.beginnings, ElementsAre(0, 1, 3, 5));
}

}  // namespace
}  // namespace heddle::code::testing
