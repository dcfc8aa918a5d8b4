#include "sm/accounting/stall_accounting.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>

#include "sm/hazards_fixture.h"
#include "sm/schedule/fake_core.h"

namespace heddle::sm {
namespace {

/// A fixture with two schedulers: one for the even warp slots and one for the odd ones.
class StallAccountingTest : public HazardsFixture {
 protected:
  StallAccounting& accounting() {
    if (!accounting_) accounting_.emplace(warps, schedulers, std::span(&hazards(), 1));
    return *accounting_;
  }
  void block(WarpSlot warp, WaitReason reason) {
    take_slot_for(warps, grid, warp, Resource::integer);
    warps.block(warp, WarpState::awaits_memory, reason);
  }
  /// Counts `cycles` cycles from 100 on in which no warp issues.
  void idle(std::uint64_t cycles, WarpSet busy_scheduler_warps = 0) {
    accounting().count(
        {.now = Cycle(100), .idle = 0b11, .busy_scheduler_warps = busy_scheduler_warps}, cycles);
  }
  std::uint64_t counter_value(const std::string& name) {
    CounterList counters;
    accounting().declare(counters);
    for (const Counter& each : counters.all()) {
      if (each.name == name) return *each.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  std::uint64_t sum_of(const std::string& prefix) {
    CounterList counters;
    accounting().declare(counters);
    std::uint64_t sum = 0;
    for (const Counter& each : counters.all()) {
      if (each.name.rfind(prefix, 0) == 0) sum += *each.value;
    }
    return sum;
  }

  WarpSchedulers schedulers{{.schedulers = 2}, 1, warps.all(), test::unseen_core()};

 private:
  std::optional<StallAccounting> accounting_;
};

TEST_F(StallAccountingTest, CountsNoIdleCycleIfAllSchedulersIssue) {
  accounting().count({.now = Cycle(100), .issued = 2}, 1);
  EXPECT_EQ(counter_value("scheduler.selected"), 2u);
  EXPECT_EQ(counter_value("warp.selected"), 2u);
  EXPECT_EQ(counter_value("sm.idle_cycles"), 0u);
  EXPECT_EQ(sum_of("scheduler."), 2u);
}

TEST_F(StallAccountingTest, CountsIdleCycleIfNoSchedulerIssues) {
  idle(7);
  accounting().count({.now = Cycle(107), .issued = 1, .idle = 0b10}, 1);
  EXPECT_EQ(counter_value("sm.idle_cycles"), 7u);
  EXPECT_EQ(counter_value("scheduler.no_warps"), 15u);
}

TEST_F(StallAccountingTest, CountsABranchOnceIfItsSchedulerIdlesWhileItIsResolved) {
  const auto wait_for_branch = [&](WarpSlot warp, std::uint64_t since) {
    warps[warp].since = Cycle(since);
    warps.block(warp, WarpState::awaits_memory, WaitReason::branch_resolution);
  };
  for (const WarpSlot warp : {0, 1, 2}) take_slot_for(warps, grid, warp, Resource::integer);
  wait_for_branch(0, 100);
  wait_for_branch(2, 100);
  warps.block(1, WarpState::awaits_memory, WaitReason::barrier);
  accounting().count({.now = Cycle(100), .issued = 1, .idle = 0b10}, 1);
  EXPECT_EQ(counter_value("sm.exposed_branches"), 0u) << "the branches' scheduler has issued";
  accounting().count({.now = Cycle(101), .idle = 0b11}, 3);
  accounting().count({.now = Cycle(104), .idle = 0b11}, 1);
  EXPECT_EQ(counter_value("sm.exposed_branches"), 2u);
  warps.resume(0, Cycle(105));
  wait_for_branch(0, 106);
  accounting().count({.now = Cycle(106), .idle = 0b01}, 1);
  EXPECT_EQ(counter_value("sm.exposed_branches"), 3u);
}

TEST_F(StallAccountingTest, AttributesSchedulerCycleToItsWarpNearestToIssuing) {
  block(0, WaitReason::barrier);
  block(2, WaitReason::short_latency_result);
  block(4, WaitReason::long_latency_result);
  block(1, WaitReason::atomics_in_flight);
  idle(5);
  EXPECT_EQ(counter_value("scheduler.short_scoreboard"), 5u);
  EXPECT_EQ(counter_value("scheduler.membar"), 5u);
  EXPECT_EQ(sum_of("scheduler."), 10u);
}

TEST_F(StallAccountingTest, PrefersCauseOfReadyWarpToThatOfWaitingWarp) {
  block(0, WaitReason::branch_resolution);
  make_ready(2, Resource::global);
  fill(MemoryPath::global, 0);
  idle(3);
  EXPECT_EQ(counter_value("scheduler.lg_throttle"), 3u);
  make_ready(4, Resource::texture);
  fill(MemoryPath::texture, 0);
  idle(3);
  EXPECT_EQ(counter_value("scheduler.mio_throttle"), 3u);
  make_ready(6, Resource::fp64);
  units.execute(UnitKind::fp64, Cycle(100), 1);
  idle(3);
  EXPECT_EQ(counter_value("scheduler.math_pipe_throttle"), 3u);
  EXPECT_EQ(counter_value("warp.lg_throttle"), 9u);
  EXPECT_EQ(counter_value("warp.mio_throttle"), 6u);
  EXPECT_EQ(counter_value("warp.math_pipe_throttle"), 3u);
}

TEST_F(StallAccountingTest, CountsDispatchStallIfSchedulerHasJustIssued) {
  make_ready(0, Resource::integer);
  make_ready(1, Resource::integer);
  schedulers.hold(0, Cycle(100));
  accounting().count({.now = Cycle(100),
                      .issued = 1,
                      .idle = 0b01,
                      .eligible = set_of(1),
                      .busy_scheduler_warps = schedulers.warps_of(0)},
                     1);
  EXPECT_EQ(counter_value("scheduler.dispatch_stall"), 1u);
  EXPECT_EQ(counter_value("warp.dispatch_stall"), 1u);
  EXPECT_EQ(counter_value("warp.not_selected"), 1u);
}

TEST_F(StallAccountingTest, CountsDispatchStallIfNoCollectorIsFree) {
  describe_operands({"policy=banked", "collectors=1"});
  make_ready(0, Resource::integer);
  make_ready(2, Resource::global);
  collect(1, 100);
  idle(1);
  EXPECT_EQ(counter_value("scheduler.dispatch_stall"), 1u);
  EXPECT_EQ(counter_value("warp.dispatch_stall"), 2u);
}

TEST_F(StallAccountingTest, CountsDrainOfEndedWarpForItsSchedulerOnly) {
  take_slot_for(warps, grid, 0, Resource::none);
  warps.end(0);
  idle(4);
  EXPECT_EQ(counter_value("scheduler.drain"), 4u);
  EXPECT_EQ(counter_value("scheduler.no_warps"), 4u) << "the other scheduler has no warp";
  EXPECT_EQ(sum_of("warp."), 0u);
}

TEST_F(StallAccountingTest, CountsUncountedCyclesAsWithoutWarps) {
  accounting().begin_counting(Cycle(100));
  accounting().count_without_warps(Cycle(130));
  EXPECT_EQ(counter_value("scheduler.no_warps"), 60u);
  accounting().count({.now = Cycle(130), .issued = 2}, 1);
  accounting().count_without_warps(Cycle(131));
  accounting().count_without_warps(Cycle(120));
  EXPECT_EQ(counter_value("scheduler.no_warps"), 60u)
      << "cycle 131 is not over, and 120 was counted";
  accounting().count_without_warps(Cycle(132));
  EXPECT_EQ(counter_value("scheduler.no_warps"), 62u);
}

TEST_F(StallAccountingTest, UsesCauseOfPassedOverWarpOnlyIfThereIsNoOther) {
  const auto active_set = configure<ScheduleDescription>({"policy=active-set", "active_warps=1"});
  WarpSchedulers one(active_set, 1, warps.all(), test::unseen_core());
  StallAccounting two_level(warps, one, std::span(&hazards(), 1));
  ASSERT_EQ(one[0].pick(set_of(0), Cycle(99)), 0u) << "warp 0 should be the active one";
  block(0, WaitReason::short_latency_result);
  block(1, WaitReason::branch_resolution);
  ASSERT_EQ(one[0].excluded_warps() & (set_of(0) | set_of(1)), set_of(1));
  const auto count = [&](const std::string& name) {
    CounterList counters;
    two_level.declare(counters);
    for (const Counter& each : counters.all()) {
      if (each.name == name) return *each.value;
    }
    return ~std::uint64_t{0};
  };
  two_level.count({.now = Cycle(100), .idle = 1}, 1);
  EXPECT_EQ(count("scheduler.short_scoreboard"), 1u);
  EXPECT_EQ(count("scheduler.branch_resolving"), 0u);
  warps.resume(0, Cycle(101));
  warps.leave(0);
  two_level.count({.now = Cycle(101), .idle = 1}, 1);
  EXPECT_EQ(count("scheduler.branch_resolving"), 1u);
}

}  // namespace
}  // namespace heddle::sm
