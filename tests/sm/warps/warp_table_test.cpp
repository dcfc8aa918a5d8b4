#include "sm/warps/warp_table.h"

#include <gtest/gtest.h>

#include "sm/contenders.h"

namespace heddle::sm {
namespace {

class WarpTableTest : public testing::Test {
 protected:
  void take(WarpSlot warp, Resource resource = Resource::integer) {
    take_slot_for(warps, grid, warp, resource);
  }
  /// Makes a warp sleep from cycle `now` until cycle `at`.
  void sleep(WarpSlot warp, std::uint64_t at, std::uint64_t now,
             WarpState state = WarpState::waiting,
             WaitReason reason = WaitReason::fixed_latency_result) {
    warps[warp].since = Cycle(now);
    warps.sleep(warp, state, Cycle(at), reason, Cycle(now));
  }
  std::uint64_t waited(StallCause cause) const { return warps.stall_cycles()[cause]; }

  const Grid grid = grid_of_contenders();
  WarpTable warps{48};
};

TEST_F(WarpTableTest, HasGivenNumberOfSlots) {
  EXPECT_EQ(warps.all(), (WarpSet{1} << 48) - 1);
  EXPECT_EQ(warps.free(), warps.all());
  EXPECT_EQ(WarpTable(64).all(), ~WarpSet{0});
}

TEST_F(WarpTableTest, ResetsSlotThatIsTakenAgain) {
  take(7, Resource::shared);
  EXPECT_EQ(warps.free(), warps.all() & ~set_of(7));
  warps.sleep(7, WarpState::ending, Cycle(20), WaitReason::last_accesses, Cycle(10));
  warps.resume(7, Cycle(20));
  warps.end(7);
  EXPECT_EQ(warps.waiting_for(WaitReason::last_accesses), 0u);
  EXPECT_EQ(warps.waiting_for(WaitReason::block_end), set_of(7));
  warps.leave(7);
  EXPECT_EQ(warps.free(), warps.all());
  EXPECT_EQ(warps.waiting_for(WaitReason::block_end), 0u);

  const Slot& slot = warps.take(7, grid, 5, static_cast<std::uint32_t>(Resource::fp64));
  EXPECT_EQ(slot.block_slot, 5u);
  EXPECT_EQ(slot.needs, Resource::fp64);
  EXPECT_EQ(slot.next, &grid.table[slot.pc]);
  EXPECT_EQ(slot.since, Cycle(0));
  EXPECT_EQ(slot.issue_end, Cycle(0));
  EXPECT_EQ(slot.ready_at, Cycle(0));
}

TEST_F(WarpTableTest, MakesWaitingWarpReadyInGivenCycle) {
  take(3);
  sleep(3, 17, 10);
  EXPECT_EQ(warps.asleep(), set_of(3));
  EXPECT_EQ(warps.next_wake(Cycle(10)), Cycle(17));
  for (std::uint64_t now = 11; now < 17; ++now) {
    EXPECT_EQ(warps.wake(Cycle(now)), 0u);
    EXPECT_EQ(warps.ready(), 0u);
  }
  EXPECT_EQ(warps.wake(Cycle(17)), 0u);
  EXPECT_EQ(warps.ready(), set_of(3));
  EXPECT_EQ(warps.asleep(), 0u);
}

TEST_F(WarpTableTest, WakesWarpHoweverFarAway) {
  for (const std::uint64_t length : {1u, 62u, 63u, 64u, 65u, 126u, 127u, 128u, 1000u}) {
    WarpTable table(1);
    take_slot_for(table, grid, 0, Resource::integer);
    table.sleep(0, WarpState::waiting, Cycle(5 + length), WaitReason::fixed_latency_result,
                Cycle(5));
    // The loop calls wake() only in the cycles that the table names.
    Cycle now(5);
    while (table.ready() == 0) {
      ASSERT_GT(table.next_wake(now), now);
      now = table.next_wake(now);
      ASSERT_LE(now, Cycle(5 + length));
      EXPECT_EQ(table.wake(now), 0u);
    }
    EXPECT_EQ(now, Cycle(5 + length));
  }
}

TEST_F(WarpTableTest, ReturnsWokenWarpsThatDoNotOnlyWaitToIssue) {
  const WarpState others[] = {WarpState::unfetched, WarpState::regrouping, WarpState::ending};
  WarpSlot warp = 0;
  for (const WarpState state : others) {
    take(warp);
    sleep(warp++, 30, 10, state);
  }
  take(warp);
  warps.start(warp, Cycle(30), Cycle(10));
  EXPECT_EQ(warps.wake(Cycle(29)), 0u);
  EXPECT_EQ(warps.wake(Cycle(30)), 0b1111u);
  EXPECT_EQ(warps.ready(), 0u);
}

TEST_F(WarpTableTest, FindsReadyWarpsByResource) {
  for (std::size_t i = 0; i < kResources; ++i) {
    take(static_cast<WarpSlot>(2 * i), ByResource<int>::index_at(i));
    warps.make_ready(static_cast<WarpSlot>(2 * i));
  }
  take(40, Resource::global);
  warps.make_ready(40);
  take(41, Resource::global);
  sleep(41, 20, 10);
  for (std::size_t i = 0; i < kResources; ++i) {
    const Resource resource = ByResource<int>::index_at(i);
    EXPECT_EQ(warps.ready_for(resource), set_of(static_cast<WarpSlot>(2 * i)) |
                                             (resource == Resource::global ? set_of(40) : 0));
  }
  warps.issue(40);
  EXPECT_EQ(warps.ready_for(Resource::global), set_of(8));
  EXPECT_EQ(warps.ready() & set_of(40), 0u);
  warps.wake(Cycle(20));
  EXPECT_EQ(warps.ready_for(Resource::global), set_of(8) | set_of(41));
}

TEST_F(WarpTableTest, CountsWaitFromBeginToEnd) {
  take(1);
  warps.end_issue(1, Cycle(100));
  warps.block(1, WarpState::at_barrier, WaitReason::barrier);
  EXPECT_EQ(warps.waiting_for(WaitReason::barrier), set_of(1));
  warps.resume(1, Cycle(130));
  EXPECT_EQ(warps.waiting_for(WaitReason::barrier), 0u);
  EXPECT_EQ(waited(StallCause::barrier), 29u);
  warps.sleep(1, WarpState::waiting, Cycle(134), WaitReason::branch_resolution, Cycle(130));
  warps.wake(Cycle(134));
  EXPECT_EQ(waited(StallCause::branch_resolving), 4u);
  EXPECT_EQ(waited(StallCause::barrier), 29u);
}

TEST_F(WarpTableTest, CountsReasonsWithTheSameCauseTogetherButKeepsThemApart) {
  take(1);
  warps.block(1, WarpState::awaits_memory, WaitReason::long_latency_result);
  take(2);
  warps.block(2, WarpState::awaits_memory, WaitReason::overlapping_atomic);
  EXPECT_EQ(warps.waiting_for(WaitReason::long_latency_result), set_of(1));
  EXPECT_EQ(warps.waiting_for(WaitReason::overlapping_atomic), set_of(2));
  warps.resume(1, Cycle(10));
  warps.resume(2, Cycle(30));
  EXPECT_EQ(waited(StallCause::long_scoreboard), 40u);
}

TEST_F(WarpTableTest, CountsNoWaitWhilePassesIssue) {
  take(1);
  warps.end_issue(1, Cycle(107));  // The last of eight passes, one per cycle from 100 on.
  warps.sleep(1, WarpState::waiting, Cycle(103), WaitReason::fixed_latency_result, Cycle(100));
  warps.count_waits(Cycle(102));
  warps.wake(Cycle(103));
  EXPECT_EQ(waited(StallCause::wait), 0u);
  EXPECT_EQ(warps[1].since, Cycle(108));
}

TEST_F(WarpTableTest, RemembersEndOfIssueUntilNextIssue) {
  take(1);
  warps.end_issue(1, Cycle(107));
  warps.block(1, WarpState::awaits_last_access, WaitReason::last_accesses);
  warps.count_waits(Cycle(150));
  warps.resume(1, Cycle(160));
  EXPECT_EQ(warps[1].issue_end, Cycle(108));
  EXPECT_EQ(warps[1].since, Cycle(160));
  EXPECT_EQ(waited(StallCause::drain), 52u);
}

TEST_F(WarpTableTest, CountsEachCycleOnceIfWaitIsSplit) {
  take(1);
  sleep(1, 150, 100, WarpState::waiting, WaitReason::short_latency_result);
  warps.count_waits(Cycle(110));
  EXPECT_EQ(waited(StallCause::short_scoreboard), 10u);
  warps.count_waits(Cycle(110));
  EXPECT_EQ(waited(StallCause::short_scoreboard), 10u);
  for (std::uint64_t now = 101; now <= 150; ++now) warps.wake(Cycle(now));
  EXPECT_EQ(waited(StallCause::short_scoreboard), 50u);
}

TEST_F(WarpTableTest, CountsNoWaitOfReadyStartingEndedOrAbsentWarps) {
  take(1);
  warps.make_ready(1);
  take(2);
  warps.start(2, Cycle(500), Cycle(0));
  take(3);
  warps.end(3);
  warps.count_waits(Cycle(100));
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const StallCause cause = ByStallCause<int>::index_at(i);
    EXPECT_EQ(waited(cause), 0u) << name_of(cause);
  }
}

TEST_F(WarpTableTest, RemembersBeginOfWaitThatWasCounted) {
  take(1);
  warps[1].since = Cycle(20);
  warps.block(1, WarpState::at_barrier, WaitReason::barrier);
  EXPECT_EQ(warps[1].since, Cycle(20));
  warps.count_waits(Cycle(50));
  warps.count_waits(Cycle(90));
  EXPECT_EQ(warps[1].since, Cycle(20));
  EXPECT_EQ(waited(StallCause::barrier), 70U);
  warps.resume(1, Cycle(95));
  EXPECT_EQ(waited(StallCause::barrier), 75U);
  EXPECT_EQ(warps[1].since, Cycle(95));
  warps[1].since = Cycle(100);
  warps.block(1, WarpState::at_barrier, WaitReason::barrier);
  EXPECT_EQ(warps[1].since, Cycle(100));
}

}  // namespace
}  // namespace heddle::sm
