#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "exec/lanes/arithmetic_model.h"
#include "exec/lanes/model_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;

/// Applies the model of one element to both elements of a packed type.
template <class Model>
auto for_each_element(const Instruction& instruction, Model model) {
  return [packed = is_packed(instruction.type), model](const Operands& operands) {
    const std::uint64_t low = model(operands);
    if (!packed) return low;
    return low | model({operands[0] >> 16, operands[1] >> 16, operands[2] >> 16}) << 16;
  };
}

/// Operands of a type. For a packed type, each operand holds two elements.
std::vector<Operands> operands_of(ValueType type, int count, int random) {
  const Format& format = format_of(type);
  std::vector<Operands> sets = operand_sets(format, count, random, 21);
  if (!is_packed(type)) return sets;
  const std::vector<Operands> others = sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Operands& other = others[(i + 7) % others.size()];
    for (std::size_t j = 0; j < sets[i].size(); ++j) sets[i][j] |= other[j] << 16;
  }
  return sets;
}

constexpr ValueType kTypes[] = {ValueType::f16, ValueType::f16x2, ValueType::bf16,
                                ValueType::bf16x2};
bool is_bf16(ValueType type) { return type == ValueType::bf16 || type == ValueType::bf16x2; }

TEST(HalfLanes, ArithmeticIsRoundedOnce) {
  for (const ValueType type : kTypes) {
    for (const Operation operation :
         {Operation::add, Operation::sub, Operation::mul_lo, Operation::fma}) {
      for (int modifiers = 0; modifiers < 6; ++modifiers) {
        Instruction instruction =
            make_instruction(operation, type, operation == Operation::fma ? 3 : 2);
        instruction.flush_subnormals = modifiers % 2 != 0;
        instruction.saturate = modifiers / 2 == 1;
        instruction.relu = modifiers / 2 == 2;
        if (instruction.relu && operation != Operation::fma) continue;
        if (is_bf16(type) && (instruction.flush_subnormals || instruction.saturate)) continue;
        const int count = static_cast<int>(instruction.sources.size());
        expect_model(instruction, operands_of(type, count, 4000),
                     for_each_element(instruction, ArithmeticModel(instruction, format_of(type))));
      }
    }
  }
}

TEST(HalfLanes, EveryProductWithSomeFactorsIsRoundedOnce) {
  for (const ValueType type : {ValueType::f16, ValueType::bf16}) {
    const Instruction instruction = make_instruction(Operation::mul_lo, type, 2);
    std::vector<Operands> sets;
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      sets.push_back({bits, 0x3555 + (bits & 3) * 0x123, 0});
    }
    expect_model(instruction, sets, ArithmeticModel(instruction, format_of(type)));
  }
}

TEST(HalfLanes, AlmostHalfwaySumsAreRoundedOnce) {
  // bf16: 1.0078125 * 1.0078125 + tiny. The product is halfway between two bf16 values. Rounding
  // the sum to float first would lose the addend, which is 2^-100 of the product.
  const Instruction instruction = make_instruction(Operation::fma, ValueType::bf16, 3);
  std::vector<Operands> sets;
  for (std::uint64_t a = 0x3f80; a < 0x3fa0; ++a) {
    for (std::uint64_t b = 0x3f80; b < 0x3fa0; ++b) {
      for (const std::uint64_t c : {0x0001U, 0x8001U, 0x0d80U, 0x8d80U, 0x3380U, 0xb380U}) {
        sets.push_back({a, b, c});
      }
    }
  }
  expect_model(instruction, sets, ArithmeticModel(instruction, kBf16));
}

TEST(HalfLanes, MinimumAndMaximumOrderZerosAndIgnoreNans) {
  for (const ValueType type : kTypes) {
    for (const Operation operation : {Operation::min, Operation::max}) {
      for (int modifiers = 0; modifiers < 8; ++modifiers) {
        Instruction instruction = make_instruction(operation, type, 2);
        instruction.propagate_nan = (modifiers & 1) != 0;
        instruction.xorsign_abs = (modifiers & 2) != 0;
        instruction.flush_subnormals = (modifiers & 4) != 0;
        if (is_bf16(type) && instruction.flush_subnormals) continue;
        expect_model(instruction, operands_of(type, 2, 1000),
                     for_each_element(instruction, ChoiceModel(instruction, format_of(type))));
      }
    }
  }
}

std::vector<Operands> all_halves() {
  std::vector<Operands> sets;
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) sets.push_back({bits | (~bits << 16), 0, 0});
  return sets;
}

TEST(HalfLanes, AbsoluteValueAndNegationChangeSignOfEveryValue) {
  for (const ValueType type : kTypes) {
    for (const Operation operation : {Operation::abs, Operation::neg}) {
      for (const bool flush : {false, true}) {
        if (flush && is_bf16(type)) continue;
        Instruction instruction = make_instruction(operation, type, 1);
        instruction.flush_subnormals = flush;
        expect_model(instruction, all_halves(),
                     for_each_element(instruction, ChoiceModel(instruction, format_of(type))));
      }
    }
  }
}

/// The value of an element with these bits.
long double value_of(const Format& format, std::uint64_t bits) {
  const std::uint64_t magnitude = format.magnitude(bits);
  const long double sign = format.is_negative(bits) ? -1 : 1;
  if (format.is_nan(bits)) return std::nanl("");
  if (format.is_infinite(bits)) return sign * HUGE_VALL;
  const auto exponent = static_cast<int>(magnitude >> format.fraction_bits);
  const auto fraction = static_cast<long double>(magnitude & (format.smallest_normal() - 1));
  const auto hidden = exponent != 0 ? static_cast<long double>(format.smallest_normal()) : 0;
  return sign * std::ldexp(fraction + hidden,
                           (exponent != 0 ? exponent : 1) - format.bias - format.fraction_bits);
}

TEST(HalfLanes, ExponentialAndTangentAreNearestValues) {
  for (const ValueType type : kTypes) {
    const Format& format = format_of(type);
    for (const Operation operation : {Operation::ex2, Operation::tanh}) {
      Instruction instruction = make_instruction(operation, type, 1);
      const bool flush = operation == Operation::ex2 && is_bf16(type);
      instruction.approximate = true;
      instruction.flush_subnormals = flush;
      const auto sets = all_halves();
      std::vector<std::vector<std::uint64_t>> by_unit;
      for (const VectorUnit& unit : vector_units()) {
        by_unit.push_back(results_of(instruction, sets, unit));
        ASSERT_EQ(by_unit.back(), by_unit.front()) << unit.name;
      }
      for (std::size_t i = 0; i < sets.size(); ++i) {
        for (int part = 0; part < (is_packed(type) ? 2 : 1); ++part) {
          std::uint64_t given = sets[i][0] >> (16 * part) & 0xffff;
          if (flush) given = format.flush(given);
          const std::uint64_t result = by_unit.front()[i] >> (16 * part) & 0xffff;
          const long double x = value_of(format, given);
          const long double exact = operation == Operation::ex2 ? std::exp2(x) : std::tanh(x);
          if (std::isnan(exact)) {
            ASSERT_EQ(result, 0x7fffU);
            continue;
          }
          // The error must be at most slightly more than half a unit of the last digit.
          const long double got = value_of(format, result);
          if (std::isinf(got)) {
            ASSERT_GE(exact, value_of(format, format.largest));
            continue;
          }
          if (flush && std::fabs(exact) < value_of(format, format.smallest_normal())) {
            ASSERT_TRUE(got == 0 || format.magnitude(result) == format.smallest_normal());
            continue;
          }
          const long double digit = value_of(format, format.magnitude(result) + 1) -
                                    value_of(format, format.magnitude(result));
          if (!std::isinf(digit)) {
            ASSERT_LE(std::fabs(got - exact), 0.501L * digit) << std::hex << given;
          }
          ASSERT_EQ(std::signbit(got), std::signbit(exact));
        }
      }
    }
  }
}

TEST(HalfLanes, RejectsFormsThatDoNotExist) {
  Instruction up = make_instruction(Operation::add, ValueType::f16, 2);
  up.rounding = code::Rounding::up;
  expect_no_handler(up);
  Instruction flushing = make_instruction(Operation::mul_lo, ValueType::bf16, 2);
  flushing.flush_subnormals = true;
  expect_no_handler(flushing);
  Instruction bounds = make_instruction(Operation::fma, ValueType::f16, 3);
  bounds.out_of_bounds_zero = true;
  expect_no_handler(bounds);
  expect_no_handler(make_instruction(Operation::div, ValueType::f16, 2));
}

}  // namespace
}  // namespace heddle::exec::test
