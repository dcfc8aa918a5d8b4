#include "sm/pipeline/policy_needs.h"

#include <gtest/gtest.h>

#include "configure.h"

namespace heddle::sm {
namespace {

PolicyNeeds needs_of(const SmDescription& description) {
  return needs_of(description, *make_branch_unit(description.branch));
}

TEST(PolicyNeeds, AreNoneOfSimplePolicies) {
  const PolicyNeeds needs = needs_of(SmDescription());
  EXPECT_FALSE(needs.active_lanes);
  EXPECT_FALSE(needs.held_fetch);
  EXPECT_FALSE(needs.branch_outcomes);
  EXPECT_FALSE(needs.suspension_at_marks);
}

TEST(PolicyNeeds, ComeFromEachPolicy) {
  SmDescription description;
  description.dependence.policy = "commit-scoreboard";
  EXPECT_TRUE(needs_of(description).active_lanes);
  description.dependence.policy = "barrel";
  EXPECT_TRUE(needs_of(description).held_fetch);
  description.branch.policy = "gshare";
  EXPECT_TRUE(needs_of(description).branch_outcomes);
}

TEST(PolicyNeeds, IncludeSuspensionAtMarksForSchedulerOrOperands) {
  SmDescription description;
  description.schedule = configure<ScheduleDescription>({"policy=active-set", "suspends=waits"});
  EXPECT_FALSE(needs_of(description).suspension_at_marks);
  description.schedule = configure<ScheduleDescription>({"policy=active-set", "suspends=marks"});
  EXPECT_TRUE(needs_of(description).suspension_at_marks);
  description.schedule = {};
  description.operands.policy = "managed";
  EXPECT_TRUE(needs_of(description).suspension_at_marks);
}

}  // namespace
}  // namespace heddle::sm
