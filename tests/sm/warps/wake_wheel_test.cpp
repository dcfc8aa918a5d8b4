#include "sm/warps/wake_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::sm {
namespace {

TEST(WakeWheel, WakesInGivenCycleAndNotBefore) {
  WakeWheel wheel;
  wheel.add(set_of(3), Cycle(107), Cycle(100));
  EXPECT_EQ(wheel.next(Cycle(100)), Cycle(107));
  EXPECT_EQ(wheel.next(Cycle(106)), Cycle(107));
  EXPECT_EQ(wheel.take(Cycle(106)), 0u);
  EXPECT_EQ(wheel.take(Cycle(107)), set_of(3));
  EXPECT_EQ(wheel.take(Cycle(107)), 0u) << "the warp has been taken";
}

TEST(WakeWheel, HasNoNextCycleIfEmpty) {
  WakeWheel wheel;
  EXPECT_EQ(wheel.next(Cycle(5)), Cycle::never());
  EXPECT_EQ(wheel.all(), 0u);
  wheel.add(set_of(0), Cycle(6), Cycle(5));
  wheel.take(Cycle(6));
  EXPECT_EQ(wheel.next(Cycle(6)), Cycle::never());
}

TEST(WakeWheel, WakesExactlyUpTo63CyclesAhead) {
  for (std::uint64_t now = 0; now < 130; ++now) {
    WakeWheel wheel;
    wheel.add(set_of(1), Cycle(now + 63), Cycle(now));
    EXPECT_EQ(wheel.next(Cycle(now)), Cycle(now + 63));
  }
}

TEST(WakeWheel, WakesEarlyBeyond63Cycles) {
  WakeWheel wheel;
  wheel.add(set_of(1), Cycle(1064), Cycle(1000));
  wheel.add(set_of(2), Cycle::never(), Cycle(1000));
  EXPECT_EQ(wheel.next(Cycle(1000)), Cycle(1063));
  EXPECT_EQ(wheel.take(Cycle(1063)), set_of(1) | set_of(2));
}

TEST(WakeWheel, MatchesSortedMap) {
  // The test adds warps that are woken too early again. Each warp then finally wakes in its cycle,
  // even if that is far away.
  std::mt19937_64 random(11);
  WakeWheel wheel;
  std::multimap<std::uint64_t, WarpSlot> sorted;
  WarpSet asleep = 0;
  std::uint64_t now = 0;
  for (int step = 0; step < 50000; ++step) {
    const WarpSlot warp = static_cast<WarpSlot>(random() % kMaxWarps);
    if ((asleep & set_of(warp)) == 0) {
      const std::uint64_t at = now + 1 + random() % (random() % 4 == 0 ? 1000 : 70);
      wheel.add(set_of(warp), Cycle(at), Cycle(now));
      sorted.emplace(at, warp);
      asleep |= set_of(warp);
    }
    ASSERT_EQ(wheel.all(), asleep);
    if (random() % 2 == 0 || sorted.empty()) continue;

    const Cycle next = wheel.next(Cycle(now));
    const std::uint64_t first = sorted.begin()->first;
    ASSERT_GT(next, Cycle(now));
    ASSERT_LE(next, Cycle(first)) << "the next cycle is too late";
    now = random() % 2 == 0 ? next.number : now + 1;
    WarpSet expected = 0;
    for (; !sorted.empty() && sorted.begin()->first == now; sorted.erase(sorted.begin())) {
      expected |= set_of(sorted.begin()->second);
    }
    const WarpSet woken = wheel.take(Cycle(now));
    ASSERT_EQ(woken & expected, expected) << "cycle " << now;
    for (const auto& [at, sleeper] : sorted) {
      if ((woken & set_of(sleeper)) != 0) wheel.add(set_of(sleeper), Cycle(at), Cycle(now));
    }
    asleep &= ~expected;
  }
}

}  // namespace
}  // namespace heddle::sm
