// A table of warps attributes waits to their causes. The test compares it with a model that
// examines every warp in every cycle.

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "sm/contenders.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {
namespace {

/// A table of warps with random events, and the model's state of each warp.
class RandomWarps {
 public:
  explicit RandomWarps(unsigned seed) : random_(seed) {}

  void run(std::uint64_t cycles) {
    for (; now_.number < cycles; ++now_) {
      if (roll(10) == 0) expect_same_counts();
      wake();
      for (WarpSlot warp = 0; warp < kSlots; ++warp) act(warp);
      expect_same_sets();
      count_cycle();
    }
    expect_same_counts();
  }

 private:
  static constexpr WarpSlot kSlots = 12;
  enum class Is { absent, starting, waiting, sleeping, blocked, ready, ended };
  struct Warp {
    Is is = Is::absent;
    WaitReason reason{};
    Resource needs{};
    Cycle at{};            ///< The cycle in which it resumes.
    Cycle issues_until{};  ///< The cycle after the issue of its last pass.
  };

  std::uint64_t roll(std::uint64_t sides) { return random_() % sides; }
  WaitReason any_reason() { return ByWaitReason<int>::index_at(roll(kWaitReasons)); }

  void wake() {
    WarpSet expected = 0;
    for (WarpSlot warp = 0; warp < kSlots; ++warp) {
      Warp& mine = warps_[warp];
      if (mine.at != now_) continue;
      if (mine.is == Is::waiting) mine.is = Is::ready;
      if (mine.is == Is::starting || mine.is == Is::sleeping) expected |= set_of(warp);
    }
    const WarpSet woken = table_.wake(now_);
    ASSERT_EQ(woken, expected) << "cycle " << now_.number;
    for_each_warp(woken, [&](WarpSlot warp) {
      if (warps_[warp].is == Is::starting) table_[warp].since = now_;
      table_.resume(warp, now_);
      decide(warp);
    });
  }

  void act(WarpSlot warp) {
    Warp& mine = warps_[warp];
    if (mine.is == Is::absent && roll(20) == 0) {
      mine = {.is = Is::starting, .needs = any_resource(), .at = now_ + Cycles(1 + roll(90))};
      take_slot_for(table_, grid_, warp, mine.needs).since = now_;
      table_.start(warp, mine.at, now_);
    } else if (mine.is == Is::ready && mine.issues_until <= now_ && roll(3) == 0) {
      table_.issue(warp);
      mine.issues_until = now_ + Cycles(1 + (roll(4) == 0 ? roll(16) : 0));
      table_.end_issue(warp, Cycle(mine.issues_until.number - 1));
      mine.needs = any_resource();
      table_[warp].go_to(static_cast<std::uint32_t>(mine.needs));
      decide(warp);
    } else if (mine.is == Is::blocked && roll(12) == 0) {
      table_.resume(warp, now_);
      decide(warp);
    } else if (mine.is == Is::ended && roll(8) == 0) {
      table_.leave(warp);
      mine.is = Is::absent;
    }
  }

  void decide(WarpSlot warp) {
    Warp& mine = warps_[warp];
    mine.reason = any_reason();
    mine.at = now_ + Cycles(1 + roll(roll(6) == 0 ? 300 : 20));
    switch (roll(10)) {
      case 0:
        mine.is = Is::ended;
        return table_.end(warp);
      case 1:
        mine.is = Is::ready;
        return table_.make_ready(warp);
      case 2:
      case 3:
        mine.is = Is::blocked;
        return table_.block(
            warp,
            any_of({WarpState::awaits_memory, WarpState::at_barrier, WarpState::at_fence,
                    WarpState::awaits_chip, WarpState::awaits_last_access}),
            mine.reason);
      case 4:
      case 5:
        mine.is = Is::sleeping;
        return table_.sleep(
            warp, any_of({WarpState::unfetched, WarpState::regrouping, WarpState::ending}), mine.at,
            mine.reason, now_);
      default:
        mine.is = Is::waiting;
        return table_.sleep(warp, WarpState::waiting, mine.at, mine.reason, now_);
    }
  }
  WarpState any_of(const std::vector<WarpState>& states) { return states[roll(states.size())]; }
  Resource any_resource() { return ByResource<int>::index_at(roll(kResources)); }

  static bool waits(const Warp& warp) {
    return warp.is == Is::waiting || warp.is == Is::sleeping || warp.is == Is::blocked;
  }
  void count_cycle() {
    for (const Warp& warp : warps_) {
      if (waits(warp) && warp.issues_until <= now_) ++expected_waits_[cause_of(warp.reason)];
    }
  }
  void expect_same_counts() {
    table_.count_waits(now_);
    for (std::size_t i = 0; i < kStallCauses; ++i) {
      const StallCause cause = ByStallCause<int>::index_at(i);
      ASSERT_EQ(table_.stall_cycles()[cause], expected_waits_[cause])
          << name_of(cause) << " in cycle " << now_.number;
    }
  }
  void expect_same_sets() {
    WarpSet free = 0, ready = 0, asleep = 0;
    ByWaitReason<WarpSet> waiting{};
    ByResource<WarpSet> ready_for{};
    for (WarpSlot warp = 0; warp < kSlots; ++warp) {
      const Warp& mine = warps_[warp];
      const WarpSet one = set_of(warp);
      if (mine.is == Is::absent) free |= one;
      if (mine.is == Is::ready) {
        ready |= one;
        ready_for[mine.needs] |= one;
      }
      if (mine.is == Is::starting || mine.is == Is::waiting || mine.is == Is::sleeping) {
        asleep |= one;
      }
      if (waits(mine)) waiting[mine.reason] |= one;
      if (mine.is == Is::ended) waiting[WaitReason::block_end] |= one;
    }
    ASSERT_EQ(table_.free(), free);
    ASSERT_EQ(table_.ready(), ready);
    ASSERT_EQ(table_.asleep(), asleep);
    for (std::size_t i = 0; i < kWaitReasons; ++i) {
      const WaitReason reason = ByWaitReason<int>::index_at(i);
      ASSERT_EQ(table_.waiting_for(reason), waiting[reason]) << i;
    }
    for (std::size_t i = 0; i < kResources; ++i) {
      const Resource resource = ByResource<int>::index_at(i);
      ASSERT_EQ(table_.ready_for(resource), ready_for[resource]) << i;
    }
  }

  std::mt19937_64 random_;
  const Grid grid_ = grid_of_contenders();
  WarpTable table_{kSlots};
  std::array<Warp, kSlots> warps_{};
  ByStallCause<std::uint64_t> expected_waits_{};
  Cycle now_;
};

TEST(WarpTableWaits, MatchCountsCycleByCycle) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomWarps(seed).run(3000);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::sm
