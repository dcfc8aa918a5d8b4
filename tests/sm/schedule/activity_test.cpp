// A policy with an active set (the warps that may issue) reports activations and suspensions to its
// ActivityListener.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "configure.h"
#include "sm/schedule/fake_core.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

class RecordingListener final : public ActivityListener {
 public:
  void activated(WarpSlot warp) override {
    EXPECT_EQ(active & set_of(warp), 0u) << "the warp is active already";
    active |= set_of(warp);
    lines.push_back("activated " + std::to_string(warp));
  }
  void suspended(WarpSlot warp, WaitReason reason) override {
    EXPECT_NE(active & set_of(warp), 0u) << "the warp is not active";
    active &= ~set_of(warp);
    lines.push_back("suspended " + std::to_string(warp));
    last_reason = reason;
  }
  void waits_again(WarpSlot warp, WaitReason reason) override {
    EXPECT_EQ(active & set_of(warp), 0u) << "the warp is active";
    lines.push_back("waits again " + std::to_string(warp));
    last_reason = reason;
  }
  void ended(WarpSlot) override { ADD_FAILURE() << "the core reports ends, not the policy"; }

  WarpSet active = 0;
  std::vector<std::string> lines;
  WaitReason last_reason{};
};
using Lines = std::vector<std::string>;

std::unique_ptr<Scheduler> active_set_of_two(RecordingListener& listener) {
  return make_scheduler(
      configure<ScheduleDescription>({"policy=active-set", "active_warps=2", "inner=round-robin"}),
      ~WarpSet{0}, test::unseen_core(), &listener);
}

TEST(ActivityListener, HearsOfActivationsAndSuspensions) {
  RecordingListener listener;
  const auto scheduler = active_set_of_two(listener);
  scheduler->pick(0b1101, Cycle(0));
  EXPECT_EQ(listener.lines, (Lines{"activated 0", "activated 2"}));
  scheduler->pick(0b1101, Cycle(1));
  EXPECT_EQ(listener.lines.size(), 2u) << "nothing has changed";
  scheduler->begins_long_wait(2, WaitReason::long_latency_result);
  EXPECT_EQ(listener.lines.back(), "suspended 2");
  EXPECT_EQ(listener.lines.size(), 3u) << "its place is filled at the next pick";
  scheduler->pick(0b1001, Cycle(2));
  EXPECT_EQ(listener.lines, (Lines{"activated 0", "activated 2", "suspended 2", "activated 3"}));
}

TEST(ActivityListener, HearsOfEachWaitAndItsReason) {
  RecordingListener listener;
  const auto scheduler = active_set_of_two(listener);
  scheduler->pick(0b0011, Cycle(0));
  scheduler->begins_long_wait(1, WaitReason::barrier);
  EXPECT_EQ(listener.lines.back(), "suspended 1");
  EXPECT_EQ(listener.last_reason, WaitReason::barrier);
  scheduler->begins_long_wait(1, WaitReason::long_latency_result);
  EXPECT_EQ(listener.lines, (Lines{"activated 0", "activated 1", "suspended 1", "waits again 1"}));
  EXPECT_EQ(listener.last_reason, WaitReason::long_latency_result);
}

TEST(ActivityListener, HearsOfNoSuspensionWhenActiveWarpEnds) {
  RecordingListener listener;
  const auto scheduler = active_set_of_two(listener);
  scheduler->pick(0b0011, Cycle(0));
  scheduler->ended(0);
  listener.active &= ~set_of(0);
  scheduler->pick(0b0110, Cycle(1));
  EXPECT_EQ(listener.lines, (Lines{"activated 0", "activated 1", "activated 2"}));
  scheduler->begins_long_wait(1, WaitReason::long_latency_result);
  scheduler->pick(0b0001, Cycle(2));
  EXPECT_EQ(listener.lines.back(), "activated 0") << "the next warp in the slot";
}

TEST(ActivityListener, KnowsTheWarpsThatPolicyChoosesFrom) {
  RecordingListener listener;
  const auto scheduler = active_set_of_two(listener);
  std::mt19937_64 random(5);
  for (int step = 0; step < 20'000; ++step) {
    const WarpSet eligible = random() & random();
    if (eligible == 0) continue;
    const WarpSlot warp = scheduler->pick(eligible, Cycle(0));
    ASSERT_EQ(listener.active, ~scheduler->excluded_warps());
    if (warp == kNoWarp || random() % 2 == 0) {
      scheduler->begins_long_wait(static_cast<WarpSlot>(random() % kMaxWarps),
                                  WaitReason::long_latency_result);
    }
    ASSERT_EQ(listener.active, ~scheduler->excluded_warps());
  }
}

TEST(ActivityListener, HearsNothingFromPolicyThatChoosesFromAll) {
  for (const char* policy : {"round-robin", "greedy-oldest", "fetch-groups"}) {
    RecordingListener listener;
    const auto scheduler =
        make_scheduler({.policy = policy}, ~WarpSet{0}, test::unseen_core(), &listener);
    for (WarpSlot warp = 0; warp < 4; ++warp) scheduler->started(warp);
    scheduler->begins_long_wait(scheduler->pick(0b1111, Cycle(0)), WaitReason::long_latency_result);
    scheduler->ended(scheduler->pick(0b1111, Cycle(1)));
    EXPECT_TRUE(listener.lines.empty()) << policy;
  }
}

}  // namespace
}  // namespace heddle::sm
