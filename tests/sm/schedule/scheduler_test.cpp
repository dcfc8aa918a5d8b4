#include "sm/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "sm/schedule/fake_core.h"

namespace heddle::sm {
namespace {

std::unique_ptr<Scheduler> make(std::string_view policy) {
  return make_scheduler({.policy = std::string(policy)}, ~WarpSet{0}, test::unseen_core());
}

WarpSet set_of(std::initializer_list<WarpSlot> warps) {
  WarpSet set = 0;
  for (const WarpSlot warp : warps) set |= sm::set_of(warp);
  return set;
}

void start(Scheduler& scheduler, std::initializer_list<WarpSlot> warps) {
  for (const WarpSlot warp : warps) scheduler.started(warp);
}

TEST(RoundRobin, PicksSlotsInOrder) {
  const auto scheduler = make("round-robin");
  start(*scheduler, {0, 1, 2});
  for (const WarpSlot expected : {0u, 1u, 2u, 0u, 1u}) {
    EXPECT_EQ(scheduler->pick(set_of({0, 1, 2}), Cycle(0)), expected);
  }
}

TEST(RoundRobin, SkipsWarpsThatCannotIssue) {
  const auto scheduler = make("round-robin");
  start(*scheduler, {0, 1, 2, 3});
  EXPECT_EQ(scheduler->pick(set_of({0, 1, 2, 3}), Cycle(0)), 0u);
  EXPECT_EQ(scheduler->pick(set_of({0, 2, 3}), Cycle(1)), 2u);
  EXPECT_EQ(scheduler->pick(set_of({0, 1, 2}), Cycle(2)), 0u)
      << "it wraps instead of going back to 1";
}

TEST(RoundRobin, PicksOnlyWarpAgain) {
  const auto scheduler = make("round-robin");
  start(*scheduler, {5});
  EXPECT_EQ(scheduler->pick(set_of({5}), Cycle(0)), 5u);
  EXPECT_EQ(scheduler->pick(set_of({5}), Cycle(1)), 5u);
}

TEST(RoundRobin, WrapsFromLastSlotToFirst) {
  const auto scheduler = make("round-robin");
  start(*scheduler, {0, 62, 63});
  EXPECT_EQ(scheduler->pick(set_of({62, 63}), Cycle(0)), 62u);
  EXPECT_EQ(scheduler->pick(set_of({0, 63}), Cycle(1)), 63u);
  EXPECT_EQ(scheduler->pick(set_of({0, 63}), Cycle(2)), 0u);
}

TEST(GreedyOldest, StaysWithAWarpForAsLongAsItCanIssue) {
  const auto scheduler = make("greedy-oldest");
  start(*scheduler, {0, 1, 2});
  EXPECT_EQ(scheduler->pick(set_of({1, 2}), Cycle(0)), 1u);
  EXPECT_EQ(scheduler->pick(set_of({0, 1, 2}), Cycle(1)), 1u) << "though 0 is older";
  EXPECT_EQ(scheduler->pick(set_of({0, 2}), Cycle(2)), 0u);
}

TEST(GreedyOldest, PicksByAgeAndNotBySlot) {
  const auto scheduler = make("greedy-oldest");
  start(*scheduler, {7, 3, 63, 0});
  EXPECT_EQ(scheduler->pick(set_of({0, 3, 63}), Cycle(0)), 3u);
  EXPECT_EQ(scheduler->pick(set_of({0, 63}), Cycle(1)), 63u);
  EXPECT_EQ(scheduler->pick(set_of({0, 3, 7}), Cycle(2)), 7u);
}

TEST(GreedyOldest, TreatsNextWarpOfSlotAsYoungest) {
  const auto scheduler = make("greedy-oldest");
  start(*scheduler, {0, 1, 2});
  scheduler->ended(0);
  scheduler->started(0);
  EXPECT_EQ(scheduler->pick(set_of({0, 1, 2}), Cycle(0)), 1u);
  EXPECT_EQ(scheduler->pick(set_of({0, 2}), Cycle(1)), 2u);
}

TEST(GreedyOldest, DoesNotPreferNextWarpOfSlot) {
  const auto scheduler = make("greedy-oldest");
  start(*scheduler, {0, 1});
  EXPECT_EQ(scheduler->pick(set_of({0, 1}), Cycle(0)), 0u);
  scheduler->ended(0);
  scheduler->started(0);
  EXPECT_EQ(scheduler->pick(set_of({0, 1}), Cycle(1)), 1u);
}

// Simple models of the policies.

class RoundRobinModel final : public BasicScheduler {
 public:
  void started(WarpSlot) override {}
  void ended(WarpSlot) override {}
  WarpSlot pick(WarpSet eligible, Cycle) override {
    do {
      last_ = (last_ + 1) % kMaxWarps;
    } while ((eligible & sm::set_of(last_)) == 0);
    return last_;
  }

 private:
  WarpSlot last_ = kMaxWarps - 1;
};

class GreedyOldestModel final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override { warps_.push_back({warp, ++began_}); }
  void ended(WarpSlot warp) override {
    std::erase_if(warps_, [&](const Warp& candidate) { return candidate.slot == warp; });
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    const auto can_issue = [&](const Warp& warp) {
      return (eligible & sm::set_of(warp.slot)) != 0;
    };
    for (const Warp& warp : warps_) {
      if (warp.began == issued_last_ && can_issue(warp)) return warp.slot;
    }
    const auto oldest = std::find_if(warps_.begin(), warps_.end(), can_issue);
    issued_last_ = oldest->began;
    return oldest->slot;
  }

 private:
  struct Warp {
    WarpSlot slot;
    int began;
  };
  std::vector<Warp> warps_;
  int began_ = 0;
  int issued_last_ = 0;
};

template <class Model>
void expect_as_model(std::string_view policy, std::uint32_t slots, unsigned seed) {
  SCOPED_TRACE(testing::Message() << policy << ", " << slots << " slots, seed " << seed);
  const auto scheduler = make(policy);
  Model model;
  std::mt19937_64 random(seed);
  WarpSet resident = 0;
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const auto slot = static_cast<WarpSlot>(random() % slots);
    // Starts and ends are rare compared with picks. About half of the warps can issue.
    if (const std::uint64_t action = random() % 16;
        action == 0 && (resident & sm::set_of(slot)) == 0) {
      scheduler->started(slot);
      model.started(slot);
      resident |= sm::set_of(slot);
    } else if (action == 1 && (resident & sm::set_of(slot)) != 0) {
      scheduler->ended(slot);
      model.ended(slot);
      resident &= ~sm::set_of(slot);
    } else {
      const WarpSet eligible = resident & random() & (action < 8 ? random() : ~WarpSet{0});
      if (eligible == 0) continue;
      ASSERT_EQ(scheduler->pick(eligible, Cycle(step)), model.pick(eligible, Cycle(step)))
          << "step " << step;
    }
  }
}

TEST(RoundRobin, MatchesSteppingThroughSlots) {
  for (const std::uint32_t slots : {1u, 2u, 24u, 63u, 64u}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      expect_as_model<RoundRobinModel>("round-robin", slots, seed);
    }
  }
}

TEST(GreedyOldest, MatchesListByAge) {
  for (const std::uint32_t slots : {1u, 2u, 24u, 63u, 64u}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      expect_as_model<GreedyOldestModel>("greedy-oldest", slots, seed);
    }
  }
}

TEST(Schedulers, AreFoundByName) {
  EXPECT_NE(make("round-robin"), nullptr);
  EXPECT_NE(make("greedy-oldest"), nullptr);
  EXPECT_THROW(make("random"), InputError);
}

}  // namespace
}  // namespace heddle::sm
