#include "sm/warps/warp_state.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "sm/contenders.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {
namespace {

using State = WarpState;

std::vector<State> all_states() {
  std::vector<State> states;
  for (std::size_t i = 0; i < kWarpStates; ++i) states.push_back(static_cast<State>(i));
  return states;
}

const std::set<State> kTimed = {State::starting, State::unfetched, State::waiting,
                                State::regrouping, State::ending};
const std::set<State> kReported = {State::awaits_memory, State::at_barrier, State::at_fence,
                                   State::awaits_chip, State::awaits_last_access};

/// The states that may follow `state`, as documented in docs/timing/issue-and-scheduling.md.
std::set<State> followers_of(State state) {
  if (state == State::ended) return {State::free};
  if (state == State::waiting) return {State::ready};
  if (state != State::deciding) return {State::deciding};
  std::set<State> all = {State::free, State::ready, State::ended};
  all.insert(kTimed.begin(), kTimed.end());
  all.insert(kReported.begin(), kReported.end());
  return all;
}

TEST(WarpState, IsTimedOrReportedOrNeither) {
  for (const State state : all_states()) {
    EXPECT_EQ(is_timed(state), kTimed.count(state) == 1);
    EXPECT_EQ(ends_with_event(state), kReported.count(state) == 1);
  }
  EXPECT_EQ(kTimed.size() + kReported.size() + 4, kWarpStates)
      << "free, deciding, ready and ended are neither";
}

TEST(WarpState, AllowsDocumentedTransitions) {
  for (const State from : all_states()) {
    for (const State to : all_states()) {
      EXPECT_EQ(may_follow(from, to), followers_of(from).count(to) == 1)
          << static_cast<int>(from) << " to " << static_cast<int>(to);
    }
  }
}

/// A table whose warp 0 is in the given state.
class InState {
 public:
  explicit InState(State state) {
    if (state != State::free) take_slot_for(warps, grid, 0, Resource::integer);
    if (state != State::free && state != State::deciding) enter(state);
  }
  void enter(State state) {
    if (state == State::free) return warps.leave(0);
    if (state == State::deciding) return warps.issue(0);
    if (state == State::starting) return warps.start(0, Cycle(12), Cycle(10));
    if (state == State::ready) return warps.make_ready(0);
    if (state == State::ended) return warps.end(0);
    if (is_timed(state))
      return warps.sleep(0, state, Cycle(12), WaitReason::fixed_latency_result, Cycle(10));
    warps.block(0, state, WaitReason::barrier);
  }

  const Grid grid = grid_of_contenders();
  WarpTable warps{1};
};

TEST(WarpState, ChangesInTableByDocumentedTransitions) {
  for (const State from : all_states()) {
    for (const State to : followers_of(from)) {
      InState table(from);
      ASSERT_EQ(table.warps[0].state, from);
      if (from == State::free) {
        take_slot_for(table.warps, table.grid, 0, Resource::integer);
      } else if (to == State::deciding && from != State::ready) {
        table.warps.resume(0, Cycle(12));
      } else if (from == State::waiting) {
        EXPECT_EQ(table.warps.wake(Cycle(12)), 0u) << "a waiting warp only becomes ready";
      } else {
        table.enter(to);
      }
      EXPECT_EQ(table.warps[0].state, to) << static_cast<int>(from);
    }
  }
}

TEST(WarpStateDeathTest, ChangesInTableByNoOtherTransition) {
#ifdef NDEBUG
  GTEST_SKIP() << "without assertions";
#else
  GTEST_FLAG_SET(death_test_style, "fast");
  for (const State from : all_states()) {
    InState table(from);
    for (const State to : all_states()) {
      if (followers_of(from).count(to) == 1) continue;
      EXPECT_DEATH(table.enter(to), "may_follow")
          << static_cast<int>(from) << " to " << static_cast<int>(to);
    }
  }
#endif
}

TEST(WarpStateDeathTest, RejectsSleepUntilNowAndMismatchedStates) {
#ifdef NDEBUG
  GTEST_SKIP() << "without assertions";
#else
  GTEST_FLAG_SET(death_test_style, "fast");
  WarpTable warps(1);
  const Grid grid = grid_of_contenders();
  take_slot_for(warps, grid, 0, Resource::integer);
  EXPECT_DEATH(
      warps.sleep(0, State::waiting, Cycle(10), WaitReason::fixed_latency_result, Cycle(10)),
      "at > now");
  EXPECT_DEATH(warps.sleep(0, State::at_barrier, Cycle(11), WaitReason::barrier, Cycle(10)),
               "is_timed");
  EXPECT_DEATH(warps.block(0, State::waiting, WaitReason::fixed_latency_result), "ends_with_event");
#endif
}

}  // namespace
}  // namespace heddle::sm
