#include <gtest/gtest.h>

#include "base/error.h"
#include "config/set_parameter.h"
#include "sm/branch/branch_unit.h"

namespace heddle::sm {
namespace {

IssueInfo branch() {
  IssueInfo info;
  info.kind = InstructionKind::branch;
  return info;
}
IssueInfo jump() {
  IssueInfo info = branch();
  info.jumps_always = true;
  return info;
}

TEST(WaitBranchPolicy, FetchesNothingUntilBranchIsResolved) {
  const auto unit = make_branch_unit({.policy = "wait", .resolve_cycles = 7, .jump_cycles = 2});
  EXPECT_EQ(unit->next_fetch(0, branch(), {.pc = 4, .next = 5}, Cycle(100)).from, Cycle(107));
  EXPECT_EQ(unit->next_fetch(0, branch(), {.pc = 4, .next = 20}, Cycle(200)).from, Cycle(207))
      << "whatever its target";
}

TEST(WaitBranchPolicy, FetchesTargetOfJumpAfterJumpCycles) {
  const auto unit = make_branch_unit({.policy = "wait", .resolve_cycles = 7, .jump_cycles = 2});
  EXPECT_EQ(unit->next_fetch(3, jump(), {.pc = 4, .next = 20}, Cycle(100)).from, Cycle(102));
}

TEST(WaitBranchPolicy, FetchesTargetWithJumpWithoutGap) {
  const auto unit = make_branch_unit(
      {.policy = "wait", .resolve_cycles = 7, .jump_cycles = 2, .fetches_targets = true});
  const NextFetch target = unit->next_fetch(3, jump(), {.pc = 4, .next = 20}, Cycle(100));
  EXPECT_EQ(target.from, Cycle(101));
  EXPECT_TRUE(target.with_branch);
  const NextFetch other = unit->next_fetch(3, branch(), {.pc = 4, .next = 20}, Cycle(200));
  EXPECT_EQ(other.from, Cycle(207));
  EXPECT_FALSE(other.with_branch);
}

TEST(WaitBranchPolicy, CountsBranchesAndJumps) {
  const auto unit = make_branch_unit({});
  unit->next_fetch(0, branch(), {}, Cycle(1));
  unit->next_fetch(1, branch(), {}, Cycle(2));
  unit->next_fetch(0, jump(), {}, Cycle(3));
  CounterList counters;
  unit->declare(counters);
  ASSERT_EQ(counters.all().size(), 2u);
  EXPECT_EQ(counters.all()[0].name, "branches");
  EXPECT_EQ(*counters.all()[0].value, 2u);
  EXPECT_EQ(counters.all()[1].name, "jumps");
  EXPECT_EQ(*counters.all()[1].value, 1u);
}

TEST(WaitBranchPolicy, IsFoundByName) {
  BranchDescription description;
  config::Declarations parameters;
  description.declare(parameters);
  config::set_parameter(parameters, "policy", "wait");
  config::set_parameter(parameters, "resolve_cycles", "3");
  EXPECT_EQ(make_branch_unit(description)->next_fetch(0, branch(), {}, Cycle(10)).from, Cycle(13));
  EXPECT_THROW(config::set_parameter(parameters, "policy", "guess"), InputError);
  EXPECT_THROW(make_branch_unit({.policy = "guess"}), InputError);
}

}  // namespace
}  // namespace heddle::sm
