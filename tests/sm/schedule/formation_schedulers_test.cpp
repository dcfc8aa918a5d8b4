// The two scheduling policies for dynamic warp formation, which forms a new warp for every
// instruction.

#include <gtest/gtest.h>

#include <memory>

#include "configure.h"
#include "sm/schedule/fake_core.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// A scheduler whose warps end when they are picked, as formed warps do.
class FormedWarpScheduler {
 public:
  explicit FormedWarpScheduler(const std::string& policy)
      : scheduler_(make_scheduler({.policy = policy}, ~WarpSet{0}, test::unseen_core())) {}

  void begin(WarpSlot warp, const Scheduler::Formation& formation) {
    scheduler_->started(warp);
    scheduler_->formed(warp, formation);
    waiting_ |= set_of(warp);
  }
  /// Reports that threads have joined a waiting warp.
  void joined(WarpSlot warp, const Scheduler::Formation& formation) {
    scheduler_->formed(warp, formation);
  }
  WarpSlot pick_from(WarpSet eligible) {
    const WarpSlot warp = scheduler_->pick(eligible, Cycle(++now_));
    waiting_ &= ~set_of(warp);
    scheduler_->ended(warp);
    return warp;
  }
  WarpSlot pick() { return pick_from(waiting_); }
  bool empty() const { return waiting_ == 0; }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  WarpSet waiting_ = 0;
  std::uint64_t now_ = 0;
};

TEST(MajorityScheduler, StaysAtMajorityInstructionUntilNoWarpIsLeft) {
  FormedWarpScheduler formed("majority");
  formed.begin(0, {.pc = 30});
  formed.begin(1, {.pc = 20});
  formed.begin(2, {.pc = 20});
  formed.begin(3, {.pc = 30});
  formed.begin(4, {.pc = 30});
  EXPECT_EQ(formed.pick(), 0);
  // There are now more warps at another instruction, but warps are left at the current one.
  formed.begin(5, {.pc = 20});
  formed.begin(6, {.pc = 20});
  EXPECT_EQ(formed.pick(), 3);
  EXPECT_EQ(formed.pick(), 4);
  for (const WarpSlot warp : {1U, 2U, 5U, 6U}) EXPECT_EQ(formed.pick(), warp);
}

TEST(MajorityScheduler, PicksNewWarpsAtCurrentInstruction) {
  FormedWarpScheduler formed("majority");
  formed.begin(0, {.pc = 7});
  formed.begin(1, {.pc = 7});
  formed.begin(2, {.pc = 9});
  EXPECT_EQ(formed.pick(), 0);
  formed.begin(0, {.pc = 7});
  EXPECT_EQ(formed.pick(), 1);
  EXPECT_EQ(formed.pick(), 0) << "it came later, but to the current instruction";
  EXPECT_EQ(formed.pick(), 2);
}

TEST(MajorityScheduler, StarvesRarePathWhileOthersAreLeft) {
  FormedWarpScheduler formed("majority");
  formed.begin(9, {.pc = 100});  // The oldest warp, on a rare path.
  for (WarpSlot warp = 0; warp < 4; ++warp) formed.begin(warp, {.pc = 10});
  // The other warps execute a loop of three instructions together.
  for (std::uint32_t step = 0; step < 40; ++step) {
    for (WarpSlot i = 0; i < 4; ++i) {
      const WarpSlot warp = formed.pick();
      ASSERT_NE(warp, 9) << "in step " << step;
      formed.begin(warp, {.pc = 10 + (step + 1) % 3});
    }
  }
  for (int i = 0; i < 4; ++i) EXPECT_NE(formed.pick(), 9);
  EXPECT_EQ(formed.pick(), 9);
}

TEST(MajorityScheduler, BreaksTiesByFirstInstruction) {
  FormedWarpScheduler formed("majority");
  formed.begin(0, {.pc = 50});
  formed.begin(1, {.pc = 40});
  formed.begin(2, {.pc = 60});
  EXPECT_EQ(formed.pick(), 1);
}

TEST(MajorityScheduler, CountsOnlyEligibleWarps) {
  FormedWarpScheduler formed("majority");
  for (WarpSlot warp = 0; warp < 3; ++warp) formed.begin(warp, {.pc = 10});
  formed.begin(3, {.pc = 20});
  formed.begin(4, {.pc = 20});
  EXPECT_EQ(formed.pick_from(set_of(0) | set_of(3) | set_of(4)), 3);
  EXPECT_EQ(formed.pick_from(set_of(0) | set_of(1) | set_of(2) | set_of(4)), 4);
}

TEST(PostDominatorScheduler, PicksWarpThatHasPassedFewest) {
  FormedWarpScheduler formed("post-dominator");
  formed.begin(0, {.pc = 90, .passed_count = 3});
  formed.begin(1, {.pc = 10, .passed_count = 1});
  formed.begin(2, {.pc = 50, .passed_count = 2});
  EXPECT_EQ(formed.pick(), 1);
  formed.begin(1, {.pc = 51, .passed_count = 2});
  EXPECT_EQ(formed.pick(), 2) << "the oldest of those that have passed as many";
  EXPECT_EQ(formed.pick(), 1);
  EXPECT_EQ(formed.pick(), 0);
}

TEST(PostDominatorScheduler, UpdatesRankWhenThreadsJoin) {
  FormedWarpScheduler formed("post-dominator");
  formed.begin(0, {.pc = 90, .passed_count = 5});
  formed.begin(1, {.pc = 90, .passed_count = 4});
  formed.joined(0, {.pc = 90, .passed_count = 3});
  EXPECT_EQ(formed.pick(), 0);
}

TEST(PostDominatorScheduler, TreatsRestartedSlotAsYoungest) {
  FormedWarpScheduler formed("post-dominator");
  for (WarpSlot warp = 0; warp < 3; ++warp) formed.begin(warp, {.passed_count = 1});
  EXPECT_EQ(formed.pick(), 0);
  formed.begin(0, {.passed_count = 1});
  EXPECT_EQ(formed.pick(), 1);
  EXPECT_EQ(formed.pick(), 2);
  EXPECT_EQ(formed.pick(), 0);
}

TEST(FormationSchedulers, NeedFormation) {
  const auto needs_formation = [](const std::string& policy) {
    return ScheduleDescription{.policy = policy}.needs_formation();
  };
  EXPECT_TRUE(needs_formation("majority"));
  EXPECT_TRUE(needs_formation("post-dominator"));
  EXPECT_FALSE(needs_formation("round-robin"));
  EXPECT_FALSE(needs_formation("greedy-oldest"));
  EXPECT_FALSE(needs_formation("fetch-groups"));
  EXPECT_FALSE(needs_formation("active-set"));
  EXPECT_TRUE(
      configure<ScheduleDescription>({"policy=active-set", "inner=majority"}).needs_formation());
}

}  // namespace
}  // namespace heddle::sm
