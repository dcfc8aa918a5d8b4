// Random functions mean the same before and after every pass and after allocation.

#include <gtest/gtest.h>

#include <functional>

#include "code/allocate/allocate.h"
#include "code/optimise/passes.h"
#include "code/random_function.h"
#include "code/reference_machine.h"
#include "code/verify.h"

namespace heddle::code::testing {
namespace {

constexpr std::size_t kMostSteps = 400;

void expect_same_events(const Run& expected, const Run& actual, std::uint32_t seed) {
  // A run that was cut short has done the same so far.
  const std::size_t common = std::min(expected.events.size(), actual.events.size());
  for (std::size_t i = 0; i < common; ++i) {
    ASSERT_EQ(expected.events[i].address, actual.events[i].address) << "seed " << seed;
    ASSERT_EQ(expected.events[i].value, actual.events[i].value) << "seed " << seed;
  }
  if (expected.finished && actual.finished) {
    ASSERT_EQ(expected.events.size(), actual.events.size()) << "seed " << seed;
  } else if (expected.finished) {
    ASSERT_GE(expected.events.size(), actual.events.size()) << "seed " << seed;
  }
}

void expect_pass_keeps_meaning(const std::function<void(Function&)>& pass) {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    RandomShape shape;
    shape.blocks = 1 + seed % 12;
    shape.calls = seed % 3 == 0;
    const Function before = RandomFunction(seed, shape).make();
    ASSERT_EQ(find_defect(before, CodeForm::virtual_registers), std::nullopt);
    Function after = before;
    pass(after);
    ASSERT_EQ(find_defect(after, CodeForm::virtual_registers), std::nullopt) << "seed " << seed;
    const Run expected = ReferenceMachine(before, false, 1).run(kMostSteps);
    const Run actual = ReferenceMachine(after, false, 99).run(kMostSteps);
    expect_same_events(expected, actual, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, KeepTheirMeaningWhenControlFlowIsSimplified) {
  expect_pass_keeps_meaning(simplify_control_flow);
}

TEST(RandomPrograms, KeepTheirMeaningWhenWebsAreSplit) { expect_pass_keeps_meaning(split_webs); }

TEST(RandomPrograms, KeepTheirMeaningWhenValuesArePropagated) {
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    propagate_values(function);
  });
}

TEST(RandomPrograms, KeepTheirMeaningWhenDeadCodeGoes) {
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    remove_dead_code(function);
  });
}

TEST(RandomPrograms, KeepTheirMeaningWhenOperationsAreCombined) {
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    combine_operations(function);
  });
}

TEST(RandomPrograms, KeepTheirMeaningWhenFullyOptimised) { expect_pass_keeps_meaning(optimise); }

void expect_allocation_keeps_meaning(const RegisterLimits& limits, RandomShape shape,
                                     std::uint32_t runs) {
  for (std::uint32_t seed = 0; seed < runs; ++seed) {
    shape.blocks = 1 + seed % 10;
    shape.calls = seed % 3 == 0;
    const Function before = RandomFunction(seed, shape).make();
    Function after = before;
    if (seed % 2 == 0) optimise(after);
    const Allocation allocation = allocate(after, limits);
    ASSERT_LE(allocation.registers, limits.registers) << "seed " << seed;
    ASSERT_LE(allocation.predicates, limits.predicates) << "seed " << seed;
    ASSERT_EQ(find_defect(after, CodeForm::allocated,
                          {allocation.registers, allocation.predicates}),
              std::nullopt)
        << "seed " << seed;
    const Run expected = ReferenceMachine(before, false, 1).run(kMostSteps);
    const Run actual = ReferenceMachine(after, true, 0xdead).run(4 * kMostSteps);
    expect_same_events(expected, actual, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, KeepTheirMeaningInPlentyOfRegisters) {
  expect_allocation_keeps_meaning({}, {}, 600);
}

TEST(RandomPrograms, KeepTheirMeaningInTenRegisters) {
  expect_allocation_keeps_meaning({.registers = 10, .predicates = 7}, {.narrow = 10, .wide = 6},
                                  400);
}

TEST(RandomPrograms, KeepTheirMeaningInFourPredicates) {
  expect_allocation_keeps_meaning({.registers = 255, .predicates = 4}, {.predicates = 8}, 400);
}

TEST(RandomPrograms, KeepTheirMeaningWithFewOfBoth) {
  expect_allocation_keeps_meaning({.registers = 10, .predicates = 4},
                                  {.narrow = 24, .wide = 12, .predicates = 9}, 200);
}

}  // namespace
}  // namespace heddle::code::testing
