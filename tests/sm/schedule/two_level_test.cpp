// Two-level scheduling: fetch groups (groups of warps that issue in turn), and an active set (the
// warps that may issue; all others are pending).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <random>
#include <vector>

#include "base/error.h"
#include "configure.h"
#include "sm/schedule/fake_core.h"
#include "sm/schedule/scheduler.h"
#include "sm/schedule/wrapping_scheduler.h"

namespace heddle::sm {
namespace {

constexpr WaitReason kMemory = WaitReason::long_latency_result;

WarpSet warps(std::initializer_list<WarpSlot> list) {
  WarpSet set = 0;
  for (const WarpSlot warp : list) set |= set_of(warp);
  return set;
}

std::unique_ptr<Scheduler> fetch_groups(std::uint32_t size, WarpSet all) {
  return make_scheduler(
      configure<ScheduleDescription>({"policy=fetch-groups", fmt::format("fetch_group={}", size)}),
      all, test::unseen_core());
}

std::unique_ptr<Scheduler> active_set(std::uint32_t most, const char* inner) {
  return make_scheduler(
      configure<ScheduleDescription>({"policy=active-set", fmt::format("active_warps={}", most),
                                      fmt::format("inner={}", inner)}),
      ~WarpSet{0}, test::unseen_core());
}

/// The warps that the scheduler picks, given the eligible warps of successive cycles.
std::vector<WarpSlot> picks(Scheduler& scheduler, const std::vector<WarpSet>& eligible) {
  std::vector<WarpSlot> picked;
  for (const WarpSet set : eligible) picked.push_back(scheduler.pick(set, Cycle(picked.size())));
  return picked;
}

using Turns = std::vector<WarpSlot>;

TEST(FetchGroups, PicksFirstGroupWhileOneOfItsWarpsCanIssue) {
  const auto scheduler = fetch_groups(2, warps({0, 1, 2, 3}));
  const WarpSet all = warps({0, 1, 2, 3});
  EXPECT_EQ(picks(*scheduler, {all, all, all, warps({1, 2, 3}), warps({1, 2, 3})}),
            (Turns{0, 1, 0, 1, 1}));
}

TEST(FetchGroups, SwitchesGroupWhenAllItsWarpsStall) {
  const auto scheduler = fetch_groups(2, warps({0, 1, 2, 3}));
  EXPECT_EQ(picks(*scheduler, {warps({0, 1, 2, 3}), warps({1, 2, 3}), warps({2, 3})}),
            (Turns{0, 1, 2}));
}

TEST(FetchGroups, KeepsGroupThoughPreviousGroupCanIssue) {
  const auto scheduler = fetch_groups(2, warps({0, 1, 2, 3}));
  EXPECT_EQ(picks(*scheduler, {warps({2, 3}), warps({0, 1, 2, 3}), warps({0, 1, 2})}),
            (Turns{2, 3, 2}));
}

TEST(FetchGroups, SkipsGroupsThatCannotIssue) {
  const auto scheduler = fetch_groups(1, warps({0, 1, 2, 3}));
  EXPECT_EQ(picks(*scheduler, {warps({0, 1, 2, 3}), warps({1, 2, 3}), warps({0, 3}), warps({0, 1}),
                               warps({1, 2})}),
            (Turns{0, 1, 3, 0, 1}));
}

TEST(FetchGroups, ResumesRoundRobinWithinGroup) {
  const auto scheduler = fetch_groups(3, warps({0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(picks(*scheduler, {warps({0, 1, 2, 3}), warps({3, 4}), warps({0, 1, 2})}),
            (Turns{0, 3, 1}));
}

TEST(FetchGroups, GroupsWarpsOfItsSchedulerInOrder) {
  // The second of two schedulers has the odd warp slots.
  const auto scheduler = fetch_groups(2, 0xaaaa'aaaa'aaaa'aaaa);
  EXPECT_EQ(picks(*scheduler, {warps({1, 3, 5, 7}), warps({1, 3, 5, 7}), warps({5, 7})}),
            (Turns{1, 3, 5}));
}

TEST(FetchGroups, EqualsRoundRobinWithOneGroup) {
  const auto one_group = fetch_groups(64, ~WarpSet{0});
  const auto round_robin =
      make_scheduler({.policy = "round-robin"}, ~WarpSet{0}, test::unseen_core());
  std::mt19937_64 random(1);
  for (int step = 0; step < 20'000; ++step) {
    const WarpSet eligible = random() & random() & random();
    if (eligible == 0) continue;
    ASSERT_EQ(one_group->pick(eligible, Cycle(0)), round_robin->pick(eligible, Cycle(0)));
  }
}

/// A model of fetch groups: a list of lists, which are searched from the front. A picked warp goes
/// to the end of its list.
class ListsOfLists {
 public:
  ListsOfLists(std::uint32_t warps, std::uint32_t size) {
    for (WarpSlot warp = 0; warp < warps; ++warp) {
      if (warp % size == 0) groups_.emplace_back();
      groups_.back().push_back(warp);
    }
  }
  WarpSlot pick(WarpSet eligible) {
    while (true) {
      std::deque<WarpSlot>& group = groups_.front();
      for (std::size_t i = 0; i < group.size(); ++i) {
        if ((eligible & set_of(group[i])) == 0) continue;
        const WarpSlot warp = group[i];
        // The warps before the picked one go to the end as well, so the search resumes after it.
        std::rotate(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(i) + 1, group.end());
        return warp;
      }
      groups_.push_back(group);
      groups_.pop_front();
    }
  }

 private:
  std::deque<std::deque<WarpSlot>> groups_;
};

TEST(FetchGroups, MatchesListsOfLists) {
  for (const std::uint32_t size : {1U, 2U, 7U, 8U, 16U, 31U}) {
    const auto scheduler = fetch_groups(size, ~WarpSet{0} >> 32);
    ListsOfLists model(32, size);
    std::mt19937_64 random(size);
    for (int step = 0; step < 20'000; ++step) {
      const WarpSet eligible = random() & random() & (~WarpSet{0} >> 32);
      if (eligible == 0) continue;
      ASSERT_EQ(scheduler->pick(eligible, Cycle(0)), model.pick(eligible)) << size << ", " << step;
    }
  }
}

TEST(ActiveSet, ActivatesNoMoreWarpsThanItsSize) {
  const auto scheduler = active_set(2, "round-robin");
  const WarpSet all = warps({0, 1, 2, 3});
  EXPECT_EQ(picks(*scheduler, {all, all, all, all}), (Turns{0, 1, 0, 1}));
  EXPECT_EQ(scheduler->excluded_warps() & all, warps({2, 3}));
}

TEST(ActiveSet, PicksNoPendingWarpDuringShortWaits) {
  const auto scheduler = active_set(2, "round-robin");
  EXPECT_EQ(picks(*scheduler, {warps({0, 1, 2}), warps({2, 3}), warps({1, 2})}),
            (Turns{0, kNoWarp, 1}));
}

TEST(ActiveSet, ReplacesWarpThatWaitsForMemory) {
  const auto scheduler = active_set(2, "round-robin");
  EXPECT_EQ(scheduler->pick(warps({0, 1, 2, 3}), Cycle(0)), 0u);
  scheduler->begins_long_wait(0, kMemory);
  EXPECT_EQ(scheduler->pick(warps({2, 3}), Cycle(1)), 2u);
  EXPECT_EQ(scheduler->pick(warps({3}), Cycle(2)), kNoWarp) << "1 and 2 are active";
}

TEST(ActiveSet, ReactivatesWarpOnlyIfPlaceIsFree) {
  const auto scheduler = active_set(1, "round-robin");
  EXPECT_EQ(scheduler->pick(warps({0, 1}), Cycle(0)), 0u);
  scheduler->begins_long_wait(0, kMemory);
  EXPECT_EQ(scheduler->pick(warps({1}), Cycle(1)), 1u);
  EXPECT_EQ(scheduler->pick(warps({0}), Cycle(2)), kNoWarp)
      << "its value has arrived, but warp 1 is active";
  scheduler->begins_long_wait(1, kMemory);
  EXPECT_EQ(scheduler->pick(warps({0}), Cycle(3)), 0u);
}

TEST(ActiveSet, ActivatesPendingWarpsInTurn) {
  const auto scheduler = active_set(1, "round-robin");
  Turns order;
  for (int i = 0; i < 6; ++i) {
    order.push_back(scheduler->pick(warps({0, 1, 2, 3}), Cycle(0)));
    scheduler->begins_long_wait(order.back(), kMemory);
  }
  EXPECT_EQ(order, (Turns{0, 1, 2, 3, 0, 1})) << "warp 0 could issue all the time";
}

TEST(ActiveSet, FreesPlaceWhenWarpEnds) {
  const auto scheduler = active_set(1, "greedy-oldest");
  scheduler->started(0);
  scheduler->started(1);
  EXPECT_EQ(scheduler->pick(warps({0, 1}), Cycle(0)), 0u);
  scheduler->ended(0);
  EXPECT_EQ(scheduler->pick(warps({1}), Cycle(1)), 1u);
  scheduler->started(0);
  EXPECT_EQ(scheduler->pick(warps({0}), Cycle(2)), kNoWarp)
      << "the next warp of the slot is pending";
}

TEST(ActiveSet, UsesGreedyInnerPolicy) {
  const auto scheduler = active_set(2, "greedy-oldest");
  for (const WarpSlot warp : {0U, 1U, 2U}) scheduler->started(warp);
  const WarpSet all = warps({0, 1, 2});
  EXPECT_EQ(picks(*scheduler, {all, all, warps({1, 2}), all, warps({0, 2})}),
            (Turns{0, 0, 1, 1, 0}));
}

TEST(ActiveSet, EqualsInnerPolicyIfAllWarpsFit) {
  for (const char* inner : {"round-robin", "greedy-oldest", "fetch-groups"}) {
    const auto set = active_set(64, inner);
    const auto alone = make_scheduler({.policy = inner}, ~WarpSet{0}, test::unseen_core());
    for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) {
      set->started(warp);
      alone->started(warp);
    }
    std::mt19937_64 random(7);
    for (int step = 0; step < 10'000; ++step) {
      const WarpSet eligible = random() & random();
      if (eligible == 0) continue;
      const WarpSlot warp = set->pick(eligible, Cycle(0));
      ASSERT_EQ(warp, alone->pick(eligible, Cycle(0))) << inner;
      if (step % 3 == 0) set->begins_long_wait(warp, kMemory);
    }
  }
}

TEST(ActiveSet, NeverExceedsItsSizeAndStarvesNoWarp) {
  for (const std::uint32_t most : {1U, 3U, 8U}) {
    const auto scheduler = active_set(most, "greedy-oldest");
    std::mt19937_64 random(most);
    std::array<int, kMaxWarps> issued{};
    for (WarpSlot warp = 0; warp < 32; ++warp) scheduler->started(warp);
    WarpSet waits = 0;
    for (int step = 0; step < 20'000; ++step) {
      const WarpSet eligible = random() & ~waits & 0xffff'ffff;
      if (eligible != 0) {
        const WarpSlot warp = scheduler->pick(eligible, Cycle(0));
        ASSERT_LE(std::popcount(~scheduler->excluded_warps()), static_cast<int>(most));
        if (warp != kNoWarp) {
          ASSERT_NE(eligible & ~scheduler->excluded_warps() & set_of(warp), 0u);
          ++issued[warp];
          if (random() % 4 == 0) {
            scheduler->begins_long_wait(warp, kMemory);
            waits |= set_of(warp);
          }
        }
      }
      waits &= random() | random();
    }
    for (WarpSlot warp = 0; warp < 32; ++warp) EXPECT_GT(issued[warp], 20) << warp;
  }
}

TEST(ActiveSet, ForwardsFormationToInnerPolicy) {
  // The inner policy knows the position of formed warps from formed() only.
  const auto scheduler = active_set(64, "post-dominator");
  for (const WarpSlot warp : {0U, 1U}) scheduler->started(warp);
  scheduler->formed(0, {.pc = 1, .passed_count = 2});
  scheduler->formed(1, {.pc = 1, .passed_count = 1});
  EXPECT_EQ(scheduler->pick(warps({0, 1}), Cycle(0)), 1u);
}

/// A wrapper that changes nothing.
class Transparent final : public WrappingScheduler {
 public:
  using WrappingScheduler::WrappingScheduler;
};

TEST(WrappingScheduler, BehavesAsInnerPolicy) {
  const auto inner = [] { return active_set(2, "greedy-oldest"); };
  const auto alone = inner();
  Transparent wrapped(inner());
  std::mt19937_64 random(3);
  for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) {
    alone->started(warp);
    wrapped.started(warp);
  }
  for (int step = 0; step < 2'000; ++step) {
    const WarpSet eligible = random() | random();
    const WarpSlot warp = wrapped.pick(eligible, Cycle(0));
    ASSERT_EQ(warp, alone->pick(eligible, Cycle(0)));
    ASSERT_EQ(wrapped.excluded_warps(), alone->excluded_warps());
    if (warp == kNoWarp || step % 3 == 0) continue;
    for (Scheduler* scheduler : {alone.get(), static_cast<Scheduler*>(&wrapped)}) {
      if (step % 3 == 1) {
        scheduler->begins_long_wait(warp, kMemory);
      } else {
        scheduler->ended(warp);
        scheduler->started(warp);
      }
    }
  }
}

/// Asks for updates, has a counter, and records why its warps wait.
class Watching final : public SelectiveScheduler {
 public:
  void begins_long_wait(WarpSlot, WaitReason reason) override { last_reason = reason; }
  WarpSlot pick(WarpSet, Cycle) override { return kNoWarp; }
  WarpSet excluded_warps() const override { return warps({5}); }
  Cycle next_update(Cycle now) const override { return now + Cycles(7); }
  void update(Cycle now) override { updated_at = now.number; }
  void declare(CounterList& counters) override {
    counters.add("updated_at", updated_at, "cycles", "the last update");
  }

  WaitReason last_reason = WaitReason::fixed_latency_result;
  std::uint64_t updated_at = 0;
};

TEST(WrappingScheduler, ForwardsOptionalCalls) {
  auto made = std::make_unique<Watching>();
  const Watching& inner = *made;
  Transparent wrapped(std::move(made));
  wrapped.begins_long_wait(3, WaitReason::barrier);
  wrapped.update(Cycle(40));
  CounterList counters;
  wrapped.declare(counters);
  EXPECT_EQ(inner.last_reason, WaitReason::barrier);
  EXPECT_EQ(wrapped.next_update(Cycle(40)), Cycle(47));
  ASSERT_EQ(counters.all().size(), 1U);
  EXPECT_EQ(*counters.all().front().value, 40U);
  EXPECT_EQ(wrapped.excluded_warps(), warps({5}));
}

TEST(BasicScheduler, NeverAsksForUpdate) {
  for (const char* policy : {"round-robin", "greedy-oldest", "fetch-groups", "active-set"}) {
    const auto scheduler = make_scheduler({.policy = policy}, ~WarpSet{0}, test::unseen_core());
    EXPECT_EQ(scheduler->next_update(Cycle(0)), Cycle::never()) << policy;
  }
}

TEST(ScheduleDescription, RejectsGroupsLargerThanScheduler) {
  const auto check = [](std::initializer_list<std::string_view> settings) {
    configure<ScheduleDescription>(settings).check(32, "sm.warps");
  };
  EXPECT_NO_THROW(check({"policy=fetch-groups", "fetch_group=32"}));
  EXPECT_THROW(check({"policy=fetch-groups", "fetch_group=33"}), InputError);
  EXPECT_THROW(check({"policy=fetch-groups", "schedulers=2", "fetch_group=17"}), InputError);
  EXPECT_NO_THROW(check({"policy=round-robin", "fetch_group=33"})) << "the policy does not use it";
  EXPECT_NO_THROW(check({"policy=active-set", "active_warps=32"}));
  EXPECT_THROW(check({"policy=active-set", "active_warps=33"}), InputError);
  EXPECT_THROW(check({"policy=active-set", "fetch_group=33", "inner=fetch-groups"}), InputError);
}

TEST(ScheduleDescription, RejectsNestedActiveSets) {
  EXPECT_THROW(configure<ScheduleDescription>({"inner=active-set"}), InputError);
  EXPECT_NO_THROW(configure<ScheduleDescription>({"inner=round-robin"}));
}

}  // namespace
}  // namespace heddle::sm
