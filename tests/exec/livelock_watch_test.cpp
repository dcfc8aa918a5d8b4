// LivelockWatch: when it probes for a livelock (threads that repeat the same states for ever), and
// when it notifies the user that nothing has changed for long. Each watch here probes at most every
// 100 cycles, and then pauses 8 cycles for each warp instruction that the probe executed.

#include <gtest/gtest.h>

#include "exec/livelock/livelock.h"

namespace heddle::exec {
namespace {

TEST(LivelockWatch, IsDueAfterInterval) {
  LivelockWatch watch(100, 8);
  EXPECT_FALSE(watch.is_due(99));
  EXPECT_TRUE(watch.is_due(100));
  watch.record(130, 0, Activity::works);
  EXPECT_FALSE(watch.is_due(229));
  EXPECT_TRUE(watch.is_due(230));
}

TEST(LivelockWatch, PausesInProportionToProbeEffort) {
  LivelockWatch watch(100, 8);
  watch.record(100, 50, Activity::works);
  EXPECT_FALSE(watch.is_due(499));
  EXPECT_TRUE(watch.is_due(500));
}

TEST(LivelockWatch, RestartsWithLaunch) {
  LivelockWatch watch(100, 8);
  watch.start(1000);
  EXPECT_FALSE(watch.is_due(1099));
  EXPECT_TRUE(watch.is_due(1100));
  EXPECT_EQ(watch.last_progress(), 1000U);
}

TEST(LivelockWatch, NotifiesOnceAfterSixteenQuietProbes) {
  LivelockWatch watch(100, 8);
  std::uint64_t now = 0;
  const auto probe = [&](Activity found) {
    watch.record(now += 100, 0, found);
    return watch.should_notify();
  };
  EXPECT_FALSE(probe(Activity::works));
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(probe(Activity::quiet));
  EXPECT_TRUE(probe(Activity::quiet));
  EXPECT_EQ(watch.last_progress(), 100U);
  EXPECT_FALSE(probe(Activity::quiet));
  EXPECT_FALSE(probe(Activity::works));
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(probe(Activity::quiet));
  EXPECT_TRUE(probe(Activity::quiet)) << "expected a second notification after work was found";
}

}  // namespace
}  // namespace heddle::exec
