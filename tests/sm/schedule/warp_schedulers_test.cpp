#include "sm/schedule/warp_schedulers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "sm/schedule/fake_core.h"

namespace heddle::sm {
namespace {

WarpSchedulers make(std::uint32_t count, std::uint32_t interval = 1, WarpSet warps = ~WarpSet{0}) {
  return {{.schedulers = count, .interval = interval}, 1, warps, test::unseen_core()};
}

TEST(WarpSchedulers, DistributeWarpsBySlotModuloCount) {
  for (const std::uint32_t count : {1u, 2u, 3u, 4u}) {
    const WarpSchedulers schedulers = make(count, 1, (WarpSet{1} << 48) - 1);
    ASSERT_EQ(schedulers.count(), count);
    WarpSet all = 0;
    for (std::uint32_t number = 0; number < count; ++number) {
      for_each_warp(schedulers.warps_of(number), [&](WarpSlot warp) {
        EXPECT_EQ(warp % count, number);
        EXPECT_EQ(schedulers.scheduler_number_of(warp), number);
      });
      EXPECT_EQ(all & schedulers.warps_of(number), 0u);
      all |= schedulers.warps_of(number);
    }
    EXPECT_EQ(all, (WarpSet{1} << 48) - 1);
  }
}

TEST(WarpSchedulers, BelongToSubCoreOfTheirWarps) {
  // Two schedulers in each of three sub-cores.
  const WarpSchedulers schedulers({.schedulers = 2}, 3, ~WarpSet{0}, test::unseen_core());
  ASSERT_EQ(schedulers.count(), 6u);
  for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) {
    const std::uint32_t number = schedulers.scheduler_number_of(warp);
    EXPECT_EQ(number, warp % 6);
    EXPECT_EQ(schedulers.state(number).sub_core, warp % 3);
  }
}

TEST(WarpSchedulers, HaveSeparatePolicies) {
  WarpSchedulers schedulers = make(2);
  EXPECT_EQ(&schedulers.scheduler_of(7), &schedulers[1]);
  EXPECT_NE(&schedulers[0], &schedulers[1]);
  EXPECT_EQ(schedulers[0].pick(0b0101, Cycle(0)), 0u);
  EXPECT_EQ(schedulers[1].pick(0b1010, Cycle(0)), 1u);
  EXPECT_EQ(schedulers[0].pick(0b0101, Cycle(1)), 2u) << "each continues from its own last warp";
}

TEST(WarpSchedulers, IssueAgainAfterInterval) {
  for (const std::uint64_t interval : {1u, 2u, 4u}) {
    WarpSchedulers schedulers = make(2, static_cast<std::uint32_t>(interval));
    schedulers.hold(1, Cycle(100));
    EXPECT_TRUE(schedulers.state(1).is_busy_at(Cycle(99 + interval)));
    EXPECT_FALSE(schedulers.state(1).is_busy_at(Cycle(100 + interval)));
    EXPECT_FALSE(schedulers.state(0).is_busy_at(Cycle(100))) << "the other scheduler is free";
  }
}

TEST(WarpSchedulers, HaveAPassInEachIntervalUntilTheLast) {
  WarpSchedulers schedulers = make(2, 4);
  const Cycles interval = schedulers.interval();
  schedulers.hold(3, Cycle(112));
  for (const std::uint64_t pass : {104, 108, 112}) {
    EXPECT_TRUE(schedulers.state(1).has_pass_at(Cycle(pass), interval));
    EXPECT_FALSE(schedulers.state(1).has_pass_at(Cycle(pass - 1), interval));
    EXPECT_FALSE(schedulers.state(1).has_pass_at(Cycle(pass + 1), interval));
    EXPECT_EQ(schedulers.next_pass(Cycle(pass - 4)), Cycle(pass));
    EXPECT_EQ(schedulers.next_pass(Cycle(pass - 1)), Cycle(pass));
  }
  EXPECT_FALSE(schedulers.state(1).has_pass_at(Cycle(116), interval));
  EXPECT_EQ(schedulers.next_pass(Cycle(112)), Cycle::never());
  EXPECT_FALSE(schedulers.state(0).has_pass_at(Cycle(112), interval));
  EXPECT_TRUE(schedulers.state(1).is_busy_at(Cycle(115))) << "the interval is not over";
  EXPECT_FALSE(schedulers.state(1).is_busy_at(Cycle(116)));
}

TEST(WarpSchedulers, FindFirstSchedulerThatCanIssueAgain) {
  WarpSchedulers schedulers = make(3, 2);
  EXPECT_EQ(schedulers.next_free(Cycle(0)), Cycle::never());
  schedulers.hold(0, Cycle(20));
  schedulers.hold(1, Cycle(15));
  EXPECT_EQ(schedulers.next_free(Cycle(15)), Cycle(17));
  EXPECT_EQ(schedulers.next_free(Cycle(16)), Cycle(17));
  EXPECT_EQ(schedulers.next_free(Cycle(17)), Cycle(22));
  EXPECT_EQ(schedulers.next_free(Cycle(21)), Cycle(22));
  EXPECT_EQ(schedulers.next_free(Cycle(22)), Cycle::never());
}

TEST(WarpSchedulers, MatchTableOfCycles) {
  // For each scheduler and cycle, the tables say whether the scheduler is busy (because of its
  // interval or of passes) and whether a pass issues.
  constexpr std::uint64_t kCycles = 3000;
  std::mt19937 random(6);
  for (const std::uint32_t interval : {1u, 2u, 3u}) {
    WarpSchedulers schedulers = make(3, interval);
    std::array<std::array<bool, kCycles + 100>, 3> taken{}, passes{};
    for (std::uint64_t now = 0; now < kCycles; ++now) {
      std::uint64_t next = ~std::uint64_t{0};
      std::uint64_t next_pass = next;
      for (std::uint32_t s = 0; s < 3; ++s) {
        ASSERT_EQ(schedulers.state(s).is_busy_at(Cycle(now)), taken[s][now]);
        ASSERT_EQ(schedulers.state(s).has_pass_at(Cycle(now), schedulers.interval()),
                  passes[s][now]);
        for (std::uint64_t at = now + 1; at < next_pass && at < now + 60; ++at) {
          if (passes[s][at]) next_pass = at;
        }
        if (!taken[s][now]) continue;
        std::uint64_t free = now;
        while (taken[s][free]) ++free;
        next = std::min(next, free);
      }
      ASSERT_EQ(schedulers.next_free(Cycle(now)).number, next);
      ASSERT_EQ(schedulers.next_pass(Cycle(now)).number, next_pass);
      for (std::uint32_t s = 0; s < 3; ++s) {
        if (taken[s][now] || random() % 5 != 0) continue;
        const std::uint64_t last = now + interval * (random() % 3 == 0 ? random() % 9 : 0);
        schedulers.issue(schedulers.state(s), Cycle(now));
        for (std::uint64_t at = now; at < last + interval; ++at) taken[s][at] = true;
        if (last == now) continue;
        schedulers.hold(s + 3 * static_cast<WarpSlot>(random() % 20), Cycle(last));
        for (std::uint64_t at = now; at <= last; at += interval) passes[s][at] = true;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sm
