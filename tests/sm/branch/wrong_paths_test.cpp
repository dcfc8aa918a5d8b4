#include "sm/branch/wrong_paths.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(WrongPaths, AnInstructionIsDueFromItsCycleOn) {
  WrongPaths paths;
  EXPECT_FALSE(paths.any());
  EXPECT_EQ(paths.next(Cycle(0)), Cycle::never());
  paths.begin(3, Cycle(20));
  EXPECT_FALSE(paths.any()) << "nothing issues there";
  paths.add(3, {.pc = 7, .from = Cycle(12)});
  EXPECT_TRUE(paths.any());
  EXPECT_EQ(paths.next(Cycle(5)), Cycle(12));
  EXPECT_EQ(paths.due(Cycle(11)), 0U);
  EXPECT_EQ(paths.due(Cycle(12)), set_of(3));
  EXPECT_EQ(paths.next(Cycle(12)), Cycle(13)) << "there was no room";
}

TEST(WrongPaths, WhatHasNotIssuedWhenTheBranchIsResolvedIsGivenUp) {
  WrongPaths paths;
  paths.begin(3, Cycle(20));
  paths.add(3, {.from = Cycle(12)});
  EXPECT_EQ(paths.due(Cycle(19)), set_of(3));
  EXPECT_EQ(paths.next(Cycle(19)), Cycle::never());
  EXPECT_EQ(paths.due(Cycle(20)), 0U);
  EXPECT_FALSE(paths.any());
}

TEST(WrongPaths, AWarpIssuesOneACycleInOrder) {
  WrongPaths paths;
  paths.begin(3, Cycle(20));
  paths.add(3, {.pc = 7, .from = Cycle(12)});
  paths.add(3, {.pc = 8, .from = Cycle(12)});
  paths.add(3, {.pc = 9, .from = Cycle(18)});
  EXPECT_EQ(paths.front(3).pc, 7U);
  paths.issue(3, Cycle(14));
  EXPECT_EQ(paths.due(Cycle(14)), 0U);
  EXPECT_EQ(paths.due(Cycle(15)), set_of(3));
  EXPECT_EQ(paths.front(3).pc, 8U);
  paths.issue(3, Cycle(15));
  EXPECT_EQ(paths.due(Cycle(17)), 0U) << "it has not been fetched";
  EXPECT_EQ(paths.due(Cycle(18)), set_of(3));
  paths.issue(3, Cycle(18));
  EXPECT_FALSE(paths.any());
  CounterList counters;
  paths.declare(counters);
  EXPECT_EQ(*counters.all().front().value, 3U);
}

TEST(WrongPaths, ANewOneBeginsWithoutWhatTheLastOneLeft) {
  WrongPaths paths;
  paths.begin(3, Cycle(20));
  paths.add(3, {.pc = 7, .from = Cycle(12)});
  paths.add(3, {.pc = 8, .from = Cycle(13)});
  paths.issue(3, Cycle(19));
  paths.begin(3, Cycle(90));
  EXPECT_FALSE(paths.any());
  paths.add(3, {.pc = 40, .from = Cycle(82)});
  EXPECT_EQ(paths.front(3).pc, 40U);
}

TEST(WrongPaths, EachWarpHasItsOwn) {
  WrongPaths paths;
  paths.begin(3, Cycle(20));
  paths.begin(60, Cycle(30));
  paths.add(3, {.from = Cycle(12)});
  paths.add(60, {.from = Cycle(14)});
  EXPECT_EQ(paths.next(Cycle(0)), Cycle(12));
  EXPECT_EQ(paths.due(Cycle(14)), set_of(3) | set_of(60));
  paths.issue(3, Cycle(14));
  EXPECT_EQ(paths.next(Cycle(14)), Cycle(15));
  EXPECT_EQ(paths.due(Cycle(25)), set_of(60));
}

TEST(WrongPaths, HasAnEnd) {
  WrongPaths paths;
  paths.begin(3, Cycle(100));
  for (std::size_t i = 1; i < WrongPaths::kMost; ++i) EXPECT_TRUE(paths.add(3, {}));
  EXPECT_FALSE(paths.add(3, {}));
}

}  // namespace
}  // namespace heddle::sm
