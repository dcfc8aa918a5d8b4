// Sums with carries, compared with exact sums.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;

/// Checks every combination of carry in and carry out. `exact` computes the result from the
/// sources, without the carry and without truncation to the type's width. The carry out is the part
/// that does not fit.
void check_carries(Operation operation, ValueType type, int sources,
                   const std::function<Int(const Sources&)>& exact) {
  const int bits = bits_of(type);
  for (const bool in : {false, true}) {
    for (const bool out : {false, true}) {
      if (!in && !out) continue;
      Form form{instruction_of(operation, type),
                std::vector<int>(static_cast<std::size_t>(sources), bits), bits, out ? 1 : 0};
      form.instruction.carry_in = in;
      form.instruction.carry_out = out;
      if (in) form.sources.push_back(1);
      check(form, [=](const Sources& x) {
        const Int carry = in ? Int{x.back()} : 0;
        if (operation == Operation::sub) {
          // The carry is an inverted borrow: only a carry in of 0 subtracts 1.
          const Int value = exact(x) - (in ? 1 - carry : 0);
          return Expected{value, value >= 0};
        }
        const Int value = exact(x) + carry;
        return Expected{value, value >> bits != 0};
      });
    }
  }
}

TEST(Carry, AddUsesCarryInAndOut) {
  for (const ValueType type : {ValueType::u32, ValueType::s32, ValueType::u64, ValueType::s64}) {
    check_carries(Operation::add, type, 2, [](const Sources& x) { return Int{x[0]} + x[1]; });
  }
}

TEST(Carry, SubtractCarryMeansNoBorrow) {
  for (const ValueType type : {ValueType::u32, ValueType::s32, ValueType::u64, ValueType::s64}) {
    check_carries(Operation::sub, type, 2, [](const Sources& x) { return Int{x[0]} - Int{x[1]}; });
  }
}

TEST(Carry, MultiplyAddCarriesOutOfSumOnly) {
  for (const ValueType type : {ValueType::u32, ValueType::s32}) {
    const auto half = [=](const Sources& x, bool high) {
      const Int product = number(x[0], type) * number(x[1], type);
      const auto bits = static_cast<std::uint64_t>(product);
      return Int{(high ? bits >> 32 : bits) & 0xffffffff};
    };
    check_carries(Operation::mad_lo, type, 3,
                  [=](const Sources& x) { return half(x, false) + x[2]; });
    check_carries(Operation::mad_hi, type, 3,
                  [=](const Sources& x) { return half(x, true) + x[2]; });
  }
  check_carries(Operation::mad_lo, ValueType::u64, 3,
                [](const Sources& x) { return Int{x[0] * x[1]} + x[2]; });
  check_carries(Operation::mad_hi, ValueType::s64, 3, [](const Sources& x) {
    const Int product = number(x[0], ValueType::s64) * number(x[1], ValueType::s64);
    return Int{static_cast<std::uint64_t>(product >> 64)} + x[2];
  });
}

TEST(Carry, SumMayHaveCarryDestinationOnly) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t active : interesting_masks()) {
      LaneHarness harness;
      Instruction add = instruction_of(Operation::add, ValueType::u32);
      add.carry_out = true;
      add.sources = {code::Operand::reg(0), code::Operand::immediate(1)};
      add.destinations = {code::Operand::none(), code::Operand::predicate(0)};
      for (int lane = 0; lane < 32; ++lane) harness.set(0, lane, lane % 3 == 0 ? ~0U : 5U);
      harness.context.active = active;
      ASSERT_TRUE(harness.execute(add, unit));
      EXPECT_EQ(harness.predicate(0), 0x49249249U & active);
    }
  }
}

TEST(Carry, RejectsNarrowTypes) {
  Instruction add = instruction_of(Operation::add, ValueType::u16);
  add.carry_out = true;
  EXPECT_TRUE(is_refused({add, {16, 16}, 16}));
}

}  // namespace
}  // namespace heddle::exec::test
