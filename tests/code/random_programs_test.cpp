// Checks that random functions behave the same before and after each compiler pass (one
// transformation of the code), and after register allocation.

#include <gtest/gtest.h>

#include <functional>

#include "code/allocate/allocate.h"
#include "code/effects.h"
#include "code/optimise/passes.h"
#include "code/random_function.h"
#include "code/reference_machine.h"
#include "code/verify.h"

namespace heddle::code::testing {
namespace {

constexpr std::size_t kMaxSteps = 400;

void expect_same_events(const Run& expected, const Run& actual, std::uint32_t seed) {
  // If a run reached the step limit, only the events that both runs have are compared.
  const std::size_t common = std::min(expected.events.size(), actual.events.size());
  for (std::size_t i = 0; i < common; ++i) {
    ASSERT_EQ(expected.events[i].address, actual.events[i].address) << "seed " << seed;
    ASSERT_EQ(expected.events[i].value, actual.events[i].value) << "seed " << seed;
  }
  if (expected.has_finished && actual.has_finished) {
    ASSERT_EQ(expected.events.size(), actual.events.size()) << "seed " << seed;
  } else if (expected.has_finished) {
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
    const Run expected = ReferenceMachine(before, false, 1).run(kMaxSteps);
    const Run actual = ReferenceMachine(after, false, 99).run(kMaxSteps);
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

TEST(RandomPrograms, KeepTheirMeaningWhenDeadCodeIsRemoved) {
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

TEST(RandomPrograms, KeepTheirMeaningWhenAddressesAreDisplaced) {
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    displace_addresses(function);
  });
}

TEST(RandomPrograms, KeepTheirMeaningWhenFullyOptimised) {
  for (const bool predication : {true, false}) {
    expect_pass_keeps_meaning(
        [&](Function& function) { optimise(function, {.predication = predication}); });
  }
}

TEST(RandomPrograms, KeepTheirMeaningWhenBranchesAreIfConverted) {
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    convert_branches(function);
  });
}

TEST(RandomPrograms, KeepTheirMeaningWhenBlocksAreScheduled) {
  expect_pass_keeps_meaning([](Function& function) { schedule_blocks(function, 8); });
  expect_pass_keeps_meaning([](Function& function) { schedule_blocks(function, 60); });
}

TEST(RandomPrograms, KeepTheirMeaningWhenOperandFormsAreLimited) {
  expect_pass_keeps_meaning(limit_operand_forms);
}

TEST(RandomPrograms, KeepTheirMeaningWhenParametersAreOperands) {
  expect_pass_keeps_meaning(read_parameters_as_operands);
  // More registers have a single definition.
  expect_pass_keeps_meaning([](Function& function) {
    split_webs(function);
    read_parameters_as_operands(function);
  });
}

/// A loop of random instructions with a counter, which begins at `start` and grows by `step`. The
/// loop continues while the counter is less than `bound`, or not equal to it if `not_equal`.
Function counting_function(std::uint32_t seed, std::uint32_t start, std::uint32_t step,
                           std::uint32_t bound, ValueType type, bool not_equal) {
  RandomShape shape;
  shape.blocks = 1;
  shape.instructions = 12;
  Function function = RandomFunction(seed, shape).make();
  auto& entry = function.blocks[0].instructions;
  std::erase_if(entry, [](const Instruction& instruction) { return is_terminator(instruction); });
  std::vector<Instruction> body;
  for (const Instruction& instruction : entry) {
    if (instruction.operation == Operation::load || body.size() > 0) body.push_back(instruction);
  }
  Instruction load;
  load.operation = Operation::load;
  load.type = ValueType::u32;
  load.space = Space::global;
  load.destinations.push_back(Operand::reg(0));
  load.sources.push_back(Operand::reg(8, 2));  // The first 64-bit register of RandomShape.
  body.push_back(load);
  const Operand counter = Operand::reg(function.new_register());
  const Operand next = Operand::reg(function.new_register());
  const Operand continues = Operand::predicate(function.new_predicate());
  const auto simple = [](Operation operation, ValueType value_type, const Operand& to,
                         const Operand& a, const Operand& b) {
    Instruction instruction;
    instruction.operation = operation;
    instruction.type = value_type;
    instruction.destinations.push_back(to);
    instruction.sources.push_back(a);
    if (b.present()) instruction.sources.push_back(b);
    return instruction;
  };
  entry.push_back(
      simple(Operation::move, ValueType::b32, counter, Operand::immediate(start), Operand::none()));
  Instruction store =
      simple(Operation::store, ValueType::u32, Operand::none(), Operand::reg(8, 2), counter);
  store.destinations.clear();
  store.space = Space::global;
  body.push_back(store);
  body.push_back(simple(Operation::add, ValueType::s32, next, counter, Operand::immediate(step)));
  body.push_back(simple(Operation::move, ValueType::b32, counter, next, Operand::none()));
  Instruction compare = simple(Operation::setp, type, continues, next, Operand::immediate(bound));
  compare.comparison = not_equal ? Comparison::not_equal : Comparison::less;
  body.push_back(compare);
  Instruction back;
  back.operation = Operation::branch;
  back.target = 1;
  back.guard = {continues.index, false};
  body.push_back(back);
  function.blocks.resize(3);
  function.blocks[1].instructions = body;
  Instruction leave;
  leave.operation = Operation::exit;
  function.blocks[2].instructions.push_back(leave);
  return function;
}

TEST(RandomPrograms, KeepTheirMeaningWhenCountedLoopsAreUnrolled) {
  constexpr std::uint32_t kCorners[] = {0,           1,           3,           4,
                                        5,           17,          0x7fff'ffff, 0x7fff'fffd,
                                        0x8000'0000, 0x8000'0002, 0xffff'ffff, 0xffff'fffc};
  std::uint32_t seed = 0;
  std::uint32_t unrolled = 0;
  for (const std::uint32_t bound : kCorners) {
    for (const std::uint32_t iterations : {0U, 1U, 2U, 3U, 4U, 5U, 9U, 22U}) {
      for (const std::uint32_t step : {1U, 2U, 7U, ~0U}) {
        ++seed;
        const bool not_equal = seed % 2 == 0 || step > 100;
        const ValueType type = seed % 3 == 0 ? ValueType::u32 : ValueType::s32;
        const Function plain =
            counting_function(seed, bound - iterations * step, step, bound, type, not_equal);
        ASSERT_EQ(find_defect(plain, CodeForm::virtual_registers), std::nullopt);
        Function changed = plain;
        unroll_loops(changed);
        if (changed.blocks.size() != plain.blocks.size()) ++unrolled;
        ASSERT_EQ(find_defect(changed, CodeForm::virtual_registers), std::nullopt);
        expect_same_events(ReferenceMachine(plain, false, 1).run(2 * kMaxSteps),
                           ReferenceMachine(changed, false, 99).run(2 * kMaxSteps), seed);
        Function whole = plain;
        optimise(whole);
        schedule_blocks(whole, 24);
        limit_operand_forms(whole);
        allocate(whole, {});
        expect_same_events(ReferenceMachine(plain, false, 1).run(2 * kMaxSteps),
                           ReferenceMachine(whole, true, 7).run(2 * kMaxSteps), seed);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(unrolled, 200U);
}

void expect_allocation_keeps_meaning(const RegisterLimits& limits, RandomShape shape,
                                     std::uint32_t runs) {
  for (std::uint32_t seed = 0; seed < runs; ++seed) {
    shape.blocks = 1 + seed % 10;
    shape.calls = seed % 3 == 0;
    const Function before = RandomFunction(seed, shape).make();
    Function after = before;
    if (seed % 2 == 0) optimise(after);
    if (seed % 4 == 0) schedule_blocks(after, 16);
    const Allocation allocation = allocate(after, limits);
    ASSERT_LE(allocation.registers, limits.registers) << "seed " << seed;
    ASSERT_LE(allocation.predicates, limits.predicates) << "seed " << seed;
    ASSERT_EQ(
        find_defect(after, CodeForm::allocated, {allocation.registers, allocation.predicates}),
        std::nullopt)
        << "seed " << seed;
    const Run expected = ReferenceMachine(before, false, 1).run(kMaxSteps);
    const Run actual = ReferenceMachine(after, true, 0xdead).run(4 * kMaxSteps);
    expect_same_events(expected, actual, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, KeepTheirMeaningWithAllRegisters) {
  expect_allocation_keeps_meaning({}, {}, 600);
}

TEST(RandomPrograms, KeepTheirMeaningWithTenRegisters) {
  expect_allocation_keeps_meaning(
      {.registers = 10, .predicates = 7, .rematerialise_above = 8, .reserved = {}},
      {.narrow = 10, .wide = 6}, 400);
}

TEST(RandomPrograms, KeepTheirMeaningWithFourPredicates) {
  expect_allocation_keeps_meaning(
      {.registers = 255, .predicates = 4, .rematerialise_above = 8, .reserved = {}},
      {.predicates = 8}, 400);
}

TEST(RandomPrograms, KeepTheirMeaningWithFewRegistersAndPredicates) {
  expect_allocation_keeps_meaning(
      {.registers = 10, .predicates = 4, .rematerialise_above = 8, .reserved = {}},
      {.narrow = 24, .wide = 12, .predicates = 9}, 200);
}

}  // namespace
}  // namespace heddle::code::testing
