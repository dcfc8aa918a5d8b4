#include "exec/divergence/thread_set.h"

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

TEST(ThreadSet, StoresLanesOfEachRow) {
  ThreadSet set = ThreadSet::of_row(3, LaneMask(0xf0));
  set[31] = LaneMask(0x1);
  EXPECT_EQ(set[3], LaneMask(0xf0));
  EXPECT_EQ(set[31], LaneMask(0x1));
  EXPECT_TRUE(set[4].empty());
  EXPECT_EQ(set.count(), 5);
}

TEST(ThreadSet, IsEmptyWithoutLanes) {
  ThreadSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.count(), 0);
  set[31] = LaneMask::of_lane(31);
  EXPECT_FALSE(set.empty());
  EXPECT_TRUE(set.without(set).empty());
}

TEST(ThreadSet, WithoutAndUnionWorkRowByRow) {
  const ThreadSet a = ThreadSet::of_row(0, LaneMask(0xff)) | ThreadSet::of_row(1, LaneMask(0xff));
  const ThreadSet b = ThreadSet::of_row(1, LaneMask(0x0f)) | ThreadSet::of_row(2, LaneMask(0xff));
  const ThreadSet difference = a.without(b);
  EXPECT_EQ(difference[0], LaneMask(0xff));
  EXPECT_EQ(difference[1], LaneMask(0xf0)) << "the same lane of another row is a different thread";
  EXPECT_TRUE(difference[2].empty());
  EXPECT_EQ((a | b).count(), 24);
  EXPECT_EQ(difference | b, a | b);
}

}  // namespace
}  // namespace heddle::exec
