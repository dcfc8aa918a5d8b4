// Tests of how many scratch registers an instruction needs while hardware computes it step by step.

#include "code/allocate/scratch.h"

#include <gtest/gtest.h>

namespace heddle::code {
namespace {

Instruction make(Operation operation, ValueType type) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  return instruction;
}

std::uint32_t scratch(Operation operation, ValueType type) {
  return scratch_registers(make(operation, type));
}

std::uint32_t approximate_scratch(Operation operation, ValueType type) {
  Instruction instruction = make(operation, type);
  instruction.approximate = true;
  return scratch_registers(instruction);
}

TEST(ScratchRegisters, AreNeededByStepByStepOperations) {
  EXPECT_EQ(scratch(Operation::div, ValueType::s32), 4u);
  EXPECT_EQ(scratch(Operation::rem, ValueType::u32), 4u);
  EXPECT_EQ(scratch(Operation::div, ValueType::f32), 4u);
  EXPECT_EQ(scratch(Operation::rcp, ValueType::f32), 3u);
  EXPECT_EQ(scratch(Operation::sqrt, ValueType::f32), 3u);
}

TEST(ScratchRegisters, AreMoreFor64BitOperations) {
  EXPECT_EQ(scratch(Operation::rem, ValueType::s64), 12u);
  EXPECT_EQ(scratch(Operation::div, ValueType::f64), 12u);
  EXPECT_EQ(scratch(Operation::sqrt, ValueType::f64), 12u);
}

TEST(ScratchRegisters, AreNotNeededByTableLookups) {
  EXPECT_EQ(approximate_scratch(Operation::div, ValueType::f32), 0u);
  EXPECT_EQ(approximate_scratch(Operation::rsqrt, ValueType::f64), 0u);
  EXPECT_EQ(approximate_scratch(Operation::sin, ValueType::f32), 0u);
  Instruction scaled = make(Operation::div, ValueType::f32);
  scaled.full_range = true;
  EXPECT_EQ(scratch_registers(scaled), 0u);
}

TEST(ScratchRegisters, AreNotNeededBySingleInstructions) {
  EXPECT_EQ(scratch(Operation::add, ValueType::u64), 0u);
  EXPECT_EQ(scratch(Operation::fma, ValueType::f64), 0u);
  EXPECT_EQ(scratch(Operation::load, ValueType::b64), 0u);
}

}  // namespace
}  // namespace heddle::code
