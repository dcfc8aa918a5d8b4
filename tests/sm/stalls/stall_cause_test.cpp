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

TEST(StallCause, IsLongIfMemoryOrOtherWarpsHaveToAct) {
  const std::set<StallCause> long_ones = {StallCause::long_scoreboard, StallCause::membar,
                                          StallCause::barrier, StallCause::sleeping,
                                          StallCause::drain};
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const auto cause = static_cast<StallCause>(i);
    EXPECT_EQ(is_long(cause), long_ones.count(cause) == 1) << name_of(cause);
  }
}

TEST(StallCause, OrdersShortCausesBeforeLongOnes) {
  bool any_long = false;
  for (const StallCause cause : kNearestToIssue) {
    EXPECT_TRUE(is_long(cause) || !any_long) << name_of(cause);
    any_long = any_long || is_long(cause);
  }
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
