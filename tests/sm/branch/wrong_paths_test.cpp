#include "sm/branch/wrong_paths.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::sm {
namespace {

/// Warp 3 is on a wrong path (after a mispredicted branch) that ends in cycle 20. It has issued the
/// first of the path's two instructions.
WrongPaths with_one_of_two_issued() {
  WrongPaths paths;
  paths.begin(3, 7, Cycle(12), Cycle(20));
  paths.add(3, Cycle(0));
  paths.add(3, Cycle(0));
  EXPECT_TRUE(paths.issue(3));
  return paths;
}

TEST(WrongPaths, IssueInstructionWhenFetchedAndReady) {
  for (const auto& [fetched, ready] : {std::pair(12, 5), std::pair(5, 12)}) {
    WrongPaths paths;
    EXPECT_FALSE(paths.has_any());
    EXPECT_EQ(paths.next(Cycle(0)), Cycle::never());
    paths.begin(3, 7, Cycle(static_cast<std::uint64_t>(fetched)), Cycle(20));
    EXPECT_FALSE(paths.has_any()) << "the path has no instruction yet";
    paths.add(3, Cycle(static_cast<std::uint64_t>(ready)));
    EXPECT_TRUE(paths.has_any());
    EXPECT_EQ(paths.pc(3), 7U);
    EXPECT_EQ(paths.next(Cycle(5)), Cycle(12));
    EXPECT_EQ(paths.due_warps(Cycle(11)), 0U);
    EXPECT_EQ(paths.due_warps(Cycle(12)), set_of(3));
    EXPECT_EQ(paths.next(Cycle(12)), Cycle(13)) << "it did not issue in cycle 12";
  }
}

TEST(WrongPaths, EndWhenBranchIsResolved) {
  WrongPaths paths;
  paths.begin(3, 7, Cycle(12), Cycle(20));
  paths.add(3, Cycle(0));
  EXPECT_EQ(paths.due_warps(Cycle(19)), set_of(3));
  EXPECT_EQ(paths.next(Cycle(19)), Cycle::never());
  EXPECT_EQ(paths.due_warps(Cycle(20)), 0U);
  EXPECT_FALSE(paths.has_any());
}

TEST(WrongPaths, IssueInProgramOrder) {
  WrongPaths paths;
  paths.begin(3, 7, Cycle(12), Cycle(20));
  for (const std::uint64_t ready : {12, 12, 18}) paths.add(3, Cycle(ready));
  EXPECT_TRUE(paths.issue(3));
  paths.set_fetched(3, Cycle(15));
  EXPECT_EQ(paths.pc(3), 8U);
  EXPECT_EQ(paths.due_warps(Cycle(14)), 0U);
  EXPECT_EQ(paths.due_warps(Cycle(15)), set_of(3));
  EXPECT_TRUE(paths.issue(3));
  paths.set_fetched(3, Cycle(16));
  EXPECT_EQ(paths.due_warps(Cycle(17)), 0U) << "it waits for a result in flight";
  EXPECT_EQ(paths.due_warps(Cycle(18)), set_of(3));
  EXPECT_FALSE(paths.issue(3)) << "it was the last instruction";
  EXPECT_FALSE(paths.has_any());
  CounterList counters;
  paths.declare(counters);
  EXPECT_EQ(*counters.all().front().value, 3U);
}

TEST(WrongPaths, EndIfNextInstructionIsNeverFetched) {
  WrongPaths paths = with_one_of_two_issued();
  paths.set_fetched(3, Cycle::never());
  EXPECT_EQ(paths.next(Cycle(13)), Cycle::never());
  EXPECT_EQ(paths.due_warps(Cycle(13)), 0U);
  EXPECT_FALSE(paths.has_any());
}

TEST(WrongPaths, BeginWithoutRestOfPreviousPath) {
  WrongPaths paths = with_one_of_two_issued();
  paths.begin(3, 40, Cycle(82), Cycle(90));
  EXPECT_FALSE(paths.has_any());
  paths.add(3, Cycle(0));
  EXPECT_EQ(paths.pc(3), 40U);
  EXPECT_EQ(paths.until(3), Cycle(90));
  EXPECT_FALSE(paths.issue(3));
}

TEST(WrongPaths, AreSeparateForEachWarp) {
  WrongPaths paths;
  paths.begin(3, 7, Cycle(12), Cycle(20));
  paths.begin(60, 9, Cycle(14), Cycle(30));
  paths.set_threads(3, 32);
  paths.set_threads(60, 5);
  EXPECT_EQ(paths.threads(3), 32U);
  EXPECT_EQ(paths.threads(60), 5U);
  paths.add(3, Cycle(0));
  paths.add(60, Cycle(0));
  EXPECT_EQ(paths.next(Cycle(0)), Cycle(12));
  EXPECT_EQ(paths.due_warps(Cycle(14)), set_of(3) | set_of(60));
  paths.give_up(3);
  EXPECT_EQ(paths.due_warps(Cycle(14)), set_of(60));
}

}  // namespace
}  // namespace heddle::sm
