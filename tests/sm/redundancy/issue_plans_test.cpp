#include "sm/redundancy/issue_plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

namespace heddle::sm {
namespace {

using testing::ElementsAre;

/// Returns prepared plans, and records the cycles in which it is called.
class PreparedPlans final : public Redundancy {
 public:
  void started(WarpSlot warp, std::span<const StaticWarp> static_warps, Cycle now) override {
    starts.push_back({warp, static_warps.size(), now.number});
  }
  Plan plan(const PassValues&, Cycle now) override {
    planned_at.push_back(now);
    return plans.at(planned_at.size() - 1);
  }
  void observe_executed(const PassValues&, Cycle now) override { executed_at.push_back(now); }
  void declare(CounterList&) override {}

  std::vector<Plan> plans;
  std::vector<Cycle> planned_at;
  std::vector<Cycle> executed_at;
  std::vector<std::array<std::uint64_t, 3>> starts;
};

class IssuePlansTest : public testing::Test {
 protected:
  /// Makes these plans for the passes of an instruction.
  void make(std::vector<Plan> of_passes) {
    policy.plans = std::move(of_passes);
    policy.planned_at.clear();
    const std::vector<Pass> passes(policy.plans.size(), pass);
    plans.make(3, slot, {&static_warp, 1}, passes);
  }

  std::unique_ptr<exec::Warp> warp = std::make_unique<exec::Warp>();
  StaticWarp static_warp{.warp = warp.get()};
  Pass pass{.lanes = LaneMask::all(), .static_warp = &static_warp};
  Slot slot{};
  Cycle now{7};
  PreparedPlans policy;
  OneLaneAccesses one_lane;
  IssuePlans plans{&policy, one_lane, now};
};

TEST_F(IssuePlansTest, AreDisabledWithoutPolicy) {
  EXPECT_TRUE(plans.is_enabled());
  EXPECT_FALSE(IssuePlans(nullptr, one_lane, now).is_enabled());
}

TEST_F(IssuePlansTest, TellThePolicyTheCurrentCycle) {
  plans.report_started(3, {&static_warp, 1});
  make({Plan{}, Plan{}});
  now = Cycle(9);
  plans.report_executed(3, slot, {&static_warp, 1}, {&pass, 1});
  EXPECT_THAT(policy.starts, ElementsAre(ElementsAre(3u, 1u, 7u)));
  EXPECT_THAT(policy.planned_at, ElementsAre(Cycle(7), Cycle(7)));
  EXPECT_THAT(policy.executed_at, ElementsAre(Cycle(9)));
}

TEST_F(IssuePlansTest, HaveTheLongestIntervalOfPasses) {
  make({Plan{.interval = Cycles(2)}, Plan{.interval = Cycles(5)}, Plan{}});
  EXPECT_EQ(plans.interval(), Cycles(5));
  make({Plan{.slices = 3}});
  EXPECT_EQ(plans.interval(), std::nullopt);
  EXPECT_EQ(plans[0].slices, 3u);
}

TEST_F(IssuePlansTest, WriteRegistersThatAnyPassWrites) {
  const RegisterSelection none = RegisterSelection::none();
  const RegisterSelection without_first = RegisterSelection::all().without(0);
  make({Plan{.accessed = {.writes = none}}, Plan{.accessed = {.writes = without_first}}});
  EXPECT_EQ(plans.writes(), without_first);
  make({Plan{.accessed = {.writes = none}}, Plan{.accessed = {.writes = none}}});
  EXPECT_EQ(plans.writes(), none);
}

TEST_F(IssuePlansTest, KeepWritesOfInstructionsInFlight) {
  const RegisterSelection without_first = RegisterSelection::all().without(0);
  make({Plan{.accessed = {.writes = without_first}}});
  plans.keep_writes(5);
  make({Plan{.accessed = {.writes = RegisterSelection::none()}}});
  plans.keep_writes(2);
  make({Plan{}});
  EXPECT_EQ(plans.writes_of(5), without_first);
  EXPECT_EQ(plans.writes_of(2), RegisterSelection::none());
  plans.keep_writes(5);
  EXPECT_EQ(plans.writes_of(5), RegisterSelection::all());
}

TEST_F(IssuePlansTest, ComputeNoMoreLanesThanAreActive) {
  warp->context.active = 0x7f;
  make({Plan{}, Plan{.computed_lanes = 2}, Plan{.computed_lanes = 9}});
  EXPECT_EQ(plans[0].computed_lanes, 7u);
  EXPECT_EQ(plans[1].computed_lanes, 2u);
  EXPECT_EQ(plans[2].computed_lanes, 7u);
}

constexpr std::array<std::uint16_t, 4> kRegisters{3, kFirstPredicate, 5, 9};

RegisterSelection only(std::size_t position) { return RegisterSelection::none().with(position); }

TEST_F(IssuePlansTest, CountAccessedRegistersOfOneLane) {
  const RegisterSelection all = RegisterSelection::all();
  make({Plan{.one_lane = {.reads = all, .writes = only(1)}},
        Plan{.accessed = {.reads = all.without(0)}, .one_lane = {.reads = only(0) | only(3)}},
        Plan{.one_lane = {.writes = all.without(2)}}});
  plans.count_reads(0, kRegisters);
  EXPECT_EQ(one_lane.reads, 3u) << "a predicate is no register";
  plans.count_writes(0, kRegisters);
  EXPECT_EQ(one_lane.writes, 0u);
  plans.count_reads(1, kRegisters);
  EXPECT_EQ(one_lane.reads, 3u + 1) << "the first register is not accessed";
  plans.count_writes(1, kRegisters);
  plans.count_reads(2, kRegisters);
  EXPECT_EQ(one_lane.writes, 0u);
  EXPECT_EQ(one_lane.reads, 3u + 1);
  plans.count_writes(2, kRegisters);
  EXPECT_EQ(one_lane.writes, 2u);
}

TEST_F(IssuePlansTest, CountResultsOfOneLaneThatNoPassWritesWhole) {
  const RegisterSelection all = RegisterSelection::all();
  make({Plan{.one_lane = {.writes = all}},
        Plan{.accessed = {.writes = all.without(3)}, .one_lane = {.writes = only(2)}}});
  plans.count_memory_writes(kRegisters);
  EXPECT_EQ(one_lane.writes, 2u) << "the second pass writes all lanes of the first register";
  plans.keep_writes(4);
  make({Plan{}});
  plans.count_memory_writes(kRegisters);
  EXPECT_EQ(one_lane.writes, 2u);
  plans.count_writes_of(4, kRegisters);
  EXPECT_EQ(one_lane.writes, 4u);
}

}  // namespace
}  // namespace heddle::sm
