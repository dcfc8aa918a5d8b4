// When a livelock is looked for, and when it is time to say that nothing has happened for long.

#include <gtest/gtest.h>

#include "exec/livelock/livelock.h"

namespace heddle::exec {
namespace {

TEST(LivelockWatch, LooksAgainAfterTheInterval) {
  LivelockWatch watch(100, 8);
  EXPECT_FALSE(watch.due(99));
  EXPECT_TRUE(watch.due(100));
  watch.looked(130, 0, Activity::works);
  EXPECT_FALSE(watch.due(229));
  EXPECT_TRUE(watch.due(230));
}

TEST(LivelockWatch, PausesForAsLongAsALookIsWorth) {
  LivelockWatch watch(100, 8);
  watch.looked(100, 50, Activity::works);
  EXPECT_FALSE(watch.due(499));
  EXPECT_TRUE(watch.due(500));
}

TEST(LivelockWatch, StartsAnewWithALaunch) {
  LivelockWatch watch(100, 8);
  watch.start(1000);
  EXPECT_FALSE(watch.due(1099));
  EXPECT_TRUE(watch.due(1100));
  EXPECT_EQ(watch.since(), 1000U);
}

TEST(LivelockWatch, SaysOnceThatNothingHasHappenedForSixteenLooks) {
  LivelockWatch watch(100, 8);
  std::uint64_t now = 0;
  const auto look = [&](Activity found) {
    watch.looked(now += 100, 0, found);
    return watch.is_notable();
  };
  EXPECT_FALSE(look(Activity::works));
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(look(Activity::is_quiet));
  EXPECT_TRUE(look(Activity::is_quiet));
  EXPECT_EQ(watch.since(), 100U);
  EXPECT_FALSE(look(Activity::is_quiet));
  EXPECT_FALSE(look(Activity::works));
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(look(Activity::is_quiet));
  EXPECT_TRUE(look(Activity::is_quiet)) << "and again after something has";
}

}  // namespace
}  // namespace heddle::exec
