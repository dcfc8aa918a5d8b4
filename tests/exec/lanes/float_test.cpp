#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstdint>
#include <vector>

#include "exec/lanes/arithmetic_model.h"
#include "exec/lanes/model_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;
using code::Rounding;

struct Arithmetic {
  Operation operation;
  int sources;
};
constexpr Arithmetic kArithmetic[] = {
    {Operation::add, 2}, {Operation::sub, 2}, {Operation::mul_lo, 2}, {Operation::fma, 3},
    {Operation::div, 2}, {Operation::rcp, 1}, {Operation::sqrt, 1}};
constexpr Rounding kRoundings[] = {Rounding::nearest, Rounding::zero, Rounding::down, Rounding::up};

void expect_arithmetic(const Instruction& instruction, int random, std::uint64_t seed) {
  const Format& format = format_of(instruction.type);
  const auto sets =
      operand_sets(format, static_cast<int>(instruction.sources.size()), random, seed);
  expect_model(instruction, sets, ArithmeticModel(instruction, format));
}

TEST(FloatLanes, SingleArithmeticIsRoundedOnceInEveryDirection) {
  for (const auto& [operation, sources] : kArithmetic) {
    for (const Rounding rounding : kRoundings) {
      Instruction instruction =
          make_instruction(operation, ValueType::f32, static_cast<std::size_t>(sources));
      instruction.rounding = rounding;
      expect_arithmetic(instruction, 3000, 11);
    }
  }
}

TEST(FloatLanes, SingleArithmeticFlushesAndSaturates) {
  for (const auto& [operation, sources] : kArithmetic) {
    for (const Rounding rounding : kRoundings) {
      for (const int modifiers : {1, 2, 3}) {
        Instruction instruction =
            make_instruction(operation, ValueType::f32, static_cast<std::size_t>(sources));
        instruction.rounding = rounding;
        instruction.flush_subnormals = (modifiers & 1) != 0;
        instruction.saturate = (modifiers & 2) != 0;
        expect_arithmetic(instruction, 800, 12);
      }
    }
  }
}

TEST(FloatLanes, DoubleArithmeticIsRoundedOnceInEveryDirection) {
  for (const auto& [operation, sources] : kArithmetic) {
    for (const Rounding rounding : kRoundings) {
      Instruction instruction =
          make_instruction(operation, ValueType::f64, static_cast<std::size_t>(sources));
      instruction.rounding = rounding;
      expect_arithmetic(instruction, 1500, 13);
    }
  }
}

TEST(FloatLanes, FusedMultiplyAddRoundsAlmostHalfwaySumOnce) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: halfway between two floats, except for the addend.
  const std::uint64_t factor = std::bit_cast<std::uint32_t>(1.0F + 0x1p-12F);
  std::vector<Operands> sets;
  for (const float addend : {0x1p-149F, -0x1p-149F, 0x1p-100F, -0x1p-100F, 0.0F, -0x1p-24F}) {
    sets.push_back({factor, factor, std::bit_cast<std::uint32_t>(addend)});
    sets.push_back({factor | 0x8000'0000, factor, std::bit_cast<std::uint32_t>(addend)});
  }
  const Instruction instruction = make_instruction(Operation::fma, ValueType::f32, 3);
  expect_model(instruction, sets, ArithmeticModel(instruction, kF32));
  const float above = 1.0F + 0x1p-11F + 0x1p-23F;
  EXPECT_EQ(ArithmeticModel(instruction, kF32)(sets[0]), std::bit_cast<std::uint32_t>(above));
}

TEST(FloatLanes, DirectedRoundingRestoresRoundingMode) {
  Instruction instruction = make_instruction(Operation::add, ValueType::f64, 2);
  instruction.rounding = Rounding::up;
  expect_arithmetic(instruction, 0, 1);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(FloatLanes, DoubleNansMatchH100) {
  const std::uint64_t signalling = 0x7ff0'0000'0000'0123;
  const std::uint64_t quiet = 0xfff8'0000'0000'0456;
  const std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  for (const VectorUnit& unit : vector_units()) {
    const auto result_of = [&](Operation operation, std::size_t sources, const Operands& operands) {
      return results_of(make_instruction(operation, ValueType::f64, sources), {operands}, unit)
          .front();
    };
    EXPECT_EQ(result_of(Operation::add, 2, {one, signalling, 0}), 0x7ff8'0000'0000'0123);
    EXPECT_EQ(result_of(Operation::mul_lo, 2, {quiet, signalling, 0}), 0x7ff8'0000'0000'0123);
    EXPECT_EQ(result_of(Operation::div, 2, {quiet, signalling, 0}), quiet);
    EXPECT_EQ(result_of(Operation::fma, 3, {one, signalling, quiet}), 0x7ff8'0000'0000'0123);
    EXPECT_EQ(result_of(Operation::fma, 3, {signalling, one, quiet}), quiet);
    EXPECT_EQ(result_of(Operation::sqrt, 1, {std::bit_cast<std::uint64_t>(-1.0), 0, 0}),
              0xfff8'0000'0000'0000);
    EXPECT_EQ(result_of(Operation::neg, 1, {signalling, 0, 0}), 0x7ff8'0000'0000'0123);
    EXPECT_EQ(result_of(Operation::abs, 1, {quiet, 0, 0}), quiet);
    EXPECT_EQ(result_of(Operation::min, 2, {quiet, signalling, 0}), 0x7ff8'0000'0000'0123);
    EXPECT_EQ(result_of(Operation::min, 2, {quiet, one, 0}), one);
  }
}

TEST(FloatLanes, MinimumAndMaximumOrderZerosAndIgnoreNans) {
  for (const Operation operation : {Operation::min, Operation::max}) {
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      for (const std::size_t sources : {2U, 3U}) {
        for (int modifiers = 0; modifiers < 8; ++modifiers) {
          Instruction instruction = make_instruction(operation, type, sources);
          instruction.propagate_nan = (modifiers & 1) != 0;
          instruction.xorsign_abs = (modifiers & 2) != 0;
          instruction.flush_subnormals = (modifiers & 4) != 0;
          if (type == ValueType::f64 && (modifiers != 0 || sources == 3)) continue;
          const Format& format = format_of(type);
          expect_model(instruction, operand_sets(format, 3, 1000),
                       ChoiceModel(instruction, format));
        }
      }
    }
  }
}

TEST(FloatLanes, AbsoluteValueNegationAndCopysignChangeSignOnly) {
  for (const Operation operation : {Operation::abs, Operation::neg, Operation::copysign}) {
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      for (const bool flush : {false, true}) {
        if (flush && (type == ValueType::f64 || operation == Operation::copysign)) continue;
        Instruction instruction =
            make_instruction(operation, type, operation == Operation::copysign ? 2 : 1);
        instruction.flush_subnormals = flush;
        const Format& format = format_of(type);
        expect_model(instruction, operand_sets(format, 2, 1000), ChoiceModel(instruction, format));
      }
    }
  }
}

TEST(FloatLanes, ImmediateOperandsAreUniform) {
  Instruction instruction = make_instruction(Operation::fma, ValueType::f64, 3);
  instruction.sources[1] = code::Operand::immediate(std::bit_cast<std::uint64_t>(2.0), 2);
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    for (int lane = 0; lane < 32; ++lane) {
      harness.set(4, lane, 1.5 * lane);
      harness.set(8, lane, 0.25);
    }
    ASSERT_TRUE(harness.execute(instruction, unit));
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(harness.get<double>(0, lane), 3 * lane + 0.25);
  }
}

TEST(FloatLanes, DestinationMayBeSource) {
  Instruction instruction = make_instruction(Operation::sub, ValueType::f64, 2);
  instruction.destinations[0].index = 6;
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    for (int lane = 0; lane < 32; ++lane) {
      harness.set(4, lane, 10.0 + lane);
      harness.set(6, lane, 0.5 * lane);
    }
    ASSERT_TRUE(harness.execute(instruction, unit));
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(harness.get<double>(6, lane), 10 + 0.5 * lane);
  }
}

TEST(FloatLanes, RejectsFormsThatDoNotExist) {
  Instruction saturating = make_instruction(Operation::add, ValueType::f64, 2);
  saturating.saturate = true;
  expect_no_handler(saturating);
  Instruction away = make_instruction(Operation::add, ValueType::f32, 2);
  away.rounding = Rounding::nearest_away;
  expect_no_handler(away);
}

}  // namespace
}  // namespace heddle::exec::test
