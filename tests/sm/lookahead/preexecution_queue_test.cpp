#include "sm/lookahead/preexecution_queue.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(PreexecutionQueue, IsEmptiedInTheOrderInWhichItWasFilled) {
  PreexecutionQueue queue(8);
  EXPECT_TRUE(queue.empty());
  queue.push(40, 1, Cycle(5));
  queue.push(42, 2, Cycle(7));
  PreexecutedInstruction taken;
  EXPECT_EQ(queue.head().pc, 40U);
  queue.pop(taken);
  EXPECT_EQ(taken.pc, 40U);
  EXPECT_EQ(taken.usable, Cycle(5));
  EXPECT_EQ(queue.head().pc, 42U);
  queue.pop(taken);
  EXPECT_EQ(taken.values.size(), 2U);
  EXPECT_TRUE(queue.empty());
}

TEST(PreexecutionQueue, HasAPlaceForEachResult) {
  PreexecutionQueue queue(4);
  queue.push(1, 2, Cycle(0));
  EXPECT_TRUE(queue.has_space(2));
  EXPECT_FALSE(queue.has_space(3));
  queue.push(2, 2, Cycle(0));
  EXPECT_FALSE(queue.has_space(1));
  EXPECT_FALSE(PreexecutionQueue(0).has_space(1));
}

TEST(PreexecutionQueue, UsesPlacesAgainOnlyAfterClear) {
  PreexecutionQueue queue(1);
  queue.push(1, 1, Cycle(0));
  PreexecutedInstruction taken;
  queue.pop(taken);
  EXPECT_FALSE(queue.has_space(1)) << "the tail has reached the end of the queue";
  queue.clear();
  EXPECT_TRUE(queue.has_space(1));
}

TEST(PreexecutionQueue, CountsInstructionsThatFollowEachOther) {
  PreexecutionQueue queue(8);
  for (const std::uint32_t pc : {7U, 8U, 9U, 11U}) queue.push(pc, 1, Cycle(0));
  EXPECT_EQ(queue.count_from(7), 3U);
  EXPECT_EQ(queue.count_from(8), 0U) << "the head is at 7";
  PreexecutedInstruction taken;
  queue.pop(taken);
  EXPECT_EQ(queue.count_from(8), 2U);
}

}  // namespace
}  // namespace heddle::sm
