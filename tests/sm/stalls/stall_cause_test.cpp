#include "sm/stalls/stall_cause.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace heddle::sm {
namespace {

TEST(StallCause, HasUniqueNamesAndMeanings) {
  std::set<std::string_view> names, meanings;
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    names.insert(name_of(static_cast<StallCause>(i)));
    meanings.insert(meaning_of(static_cast<StallCause>(i)));
  }
  EXPECT_EQ(names.size(), kStallCauses);
  EXPECT_EQ(meanings.size(), kStallCauses);
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_EQ(meanings.count(""), 0u);
}

TEST(StallCause, HasNamesOfNsightCompute) {
  EXPECT_EQ(name_of(StallCause::math_pipe_throttle), "math_pipe_throttle");
  EXPECT_EQ(name_of(StallCause::dispatch), "dispatch_stall");
  EXPECT_EQ(name_of(StallCause::long_scoreboard), "long_scoreboard");
  EXPECT_EQ(name_of(StallCause::drain), "drain");
}

TEST(StallCause, FollowsFromWaitReason) {
  EXPECT_EQ(cause_of(WaitReason::fixed_latency_result), StallCause::wait);
  EXPECT_EQ(cause_of(WaitReason::short_latency_result), StallCause::short_scoreboard);
  EXPECT_EQ(cause_of(WaitReason::long_latency_result), StallCause::long_scoreboard);
  EXPECT_EQ(cause_of(WaitReason::chip_wide_instruction), StallCause::sleeping);
  EXPECT_EQ(cause_of(WaitReason::free_slot), StallCause::wait);
  EXPECT_EQ(cause_of(WaitReason::branch_resolution), StallCause::branch_resolving);
  EXPECT_EQ(cause_of(WaitReason::fetch), StallCause::no_instruction);
  EXPECT_EQ(cause_of(WaitReason::overlapping_atomic), StallCause::long_scoreboard);
  EXPECT_EQ(cause_of(WaitReason::atomics_in_flight), StallCause::membar);
  EXPECT_EQ(cause_of(WaitReason::fence), StallCause::membar);
  EXPECT_EQ(cause_of(WaitReason::barrier), StallCause::barrier);
  EXPECT_EQ(cause_of(WaitReason::last_accesses), StallCause::drain);
  EXPECT_EQ(cause_of(WaitReason::block_end), StallCause::drain);
}

TEST(StallCause, OrdersReadyWarpsThenShortWaitsThenLongOnes) {
  int last = 0;
  for (const StallCause cause : kNearestToIssue) {
    int place = 0;
    for (std::size_t i = 0; i < kWaitReasons; ++i) {
      const WaitReason reason = ByWaitReason<int>::index_at(i);
      if (cause_of(reason) == cause) place = is_long(reason) ? 2 : 1;
    }
    EXPECT_GE(place, last) << name_of(cause);
    last = place;
  }
  EXPECT_EQ(last, 2);
}

TEST(StallCause, CoversEveryPreexecutionClass) {
  std::set<PreexecClass> classes;
  for (std::size_t i = 0; i < kStallCauses; ++i)
    classes.insert(class_of(static_cast<StallCause>(i)));
  EXPECT_EQ(classes.size(), kPreexecClasses);
}

TEST(StallCause, MapsToPreexecutionClasses) {
  EXPECT_EQ(class_of(StallCause::long_scoreboard), PreexecClass::long_latency_raw);
  EXPECT_EQ(class_of(StallCause::short_scoreboard), PreexecClass::short_latency_raw);
  EXPECT_EQ(class_of(StallCause::wait), PreexecClass::short_latency_raw);
  EXPECT_EQ(class_of(StallCause::lg_throttle), PreexecClass::lsu_full);
  EXPECT_EQ(class_of(StallCause::math_pipe_throttle), PreexecClass::sp_sfu_full);
  EXPECT_EQ(class_of(StallCause::no_instruction), PreexecClass::instruction_buffer_empty);
  EXPECT_EQ(class_of(StallCause::barrier), PreexecClass::barrier_wait);
  EXPECT_EQ(class_of(StallCause::withheld), PreexecClass::barrier_wait);
  EXPECT_EQ(class_of(StallCause::drain), PreexecClass::no_instruction_left);
}

TEST(StallCause, NamesClassesAsThePreexecutionPaper) {
  EXPECT_EQ(name_of(PreexecClass::long_latency_raw), "long_latency_raw");
  EXPECT_EQ(name_of(PreexecClass::no_instruction_left), "no_instruction_left");
  EXPECT_FALSE(meaning_of(PreexecClass::lsu_full).empty());
}

}  // namespace
}  // namespace heddle::sm
