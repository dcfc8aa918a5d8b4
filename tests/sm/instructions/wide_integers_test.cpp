#include "sm/instructions/wide_integers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sm/instructions/issue_table.h"
#include "sm/instructions/unit_of.h"

namespace heddle::sm {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using ::testing::ElementsAre;

constexpr IssueTableOptions kOneWord{.wide_integers = WideIntegers::one_word};

/// An instruction that writes register 10 (and 11) and reads registers 20, 30, ...; `widths` are
/// those of the destination and of the sources.
Instruction make(Operation operation, ValueType type, std::vector<int> widths,
                 ValueType source_type = ValueType::none) {
  Instruction instruction;
  instruction.operation = operation;
  instruction.type = type;
  instruction.source_type = source_type;
  instruction.destinations = {Operand::reg(10, widths.front())};
  for (std::size_t i = 1; i < widths.size(); ++i) {
    instruction.sources.push_back(
        Operand::reg(static_cast<std::uint32_t>(10 * (i + 1)), widths[i]));
  }
  return instruction;
}

/// What an instruction writes and reads: "10 11 <- 20 21".
std::string registers_of(const Instruction& instruction, const IssueTableOptions& options) {
  code::Program program;
  program.instructions = {instruction};
  const IssueTable table(program, options);
  std::string text;
  for (const std::uint16_t number : table.writes(table[0])) text += std::to_string(number) + " ";
  text += "<-";
  for (const std::uint16_t number : table.reads(table[0])) text += " " + std::to_string(number);
  return text;
}

TEST(WideIntegers, TakeTwoRegistersByDefault) {
  const Instruction add = make(Operation::add, ValueType::s64, {2, 2, 2});
  EXPECT_EQ(registers_of(add, {}), "10 11 <- 20 21 30 31");
}

TEST(WideIntegers, TakeOneRegisterAsOneWord) {
  const auto registers = [](Operation operation, ValueType type, std::vector<int> widths,
                            ValueType source_type = ValueType::none) {
    return registers_of(make(operation, type, std::move(widths), source_type), kOneWord);
  };
  EXPECT_EQ(registers(Operation::add, ValueType::s64, {2, 2, 2}), "10 <- 20 30");
  EXPECT_EQ(registers(Operation::move, ValueType::u64, {2, 2}), "10 <- 20");
  EXPECT_EQ(registers(Operation::mul_wide, ValueType::s32, {2, 1, 1}), "10 <- 20 30");
  EXPECT_EQ(registers(Operation::convert, ValueType::s64, {2, 1}, ValueType::s32), "10 <- 20");
  EXPECT_EQ(registers(Operation::convert, ValueType::u32, {1, 2}, ValueType::u64), "10 <- 20");
}

TEST(WideIntegers, LeaveTwoRegistersToFloatingPointNumbers) {
  const auto registers = [](Operation operation, ValueType type, std::vector<int> widths,
                            ValueType source_type = ValueType::none) {
    return registers_of(make(operation, type, std::move(widths), source_type), kOneWord);
  };
  EXPECT_EQ(registers(Operation::fma, ValueType::f64, {2, 2, 2, 2}), "10 11 <- 20 21 30 31 40 41");
  EXPECT_EQ(registers(Operation::convert, ValueType::f64, {2, 2}, ValueType::s64), "10 11 <- 20");
  EXPECT_EQ(registers(Operation::convert, ValueType::u64, {2, 2}, ValueType::f64), "10 <- 20 21");
  EXPECT_EQ(registers(Operation::set, ValueType::u32, {1, 2, 2}, ValueType::f64),
            "10 <- 20 21 30 31");
}

TEST(WideIntegers, AreAddressesOfAccessesToFloatingPointNumbers) {
  Instruction load = make(Operation::load, ValueType::f64, {2, 2});
  load.space = code::Space::global;
  EXPECT_EQ(registers_of(load, kOneWord), "10 11 <- 20");
  Instruction store = make(Operation::store, ValueType::f64, {1, 2, 2});
  store.destinations = {};
  store.space = code::Space::global;
  EXPECT_EQ(registers_of(store, kOneWord), "<- 20 30 31");
}

TEST(WideIntegers, TakeHardwareInstructionsOfOneWord) {
  const auto count = [](Operation operation, ValueType type, WideIntegers words) {
    return expansion_of(make(operation, type, {2, 2, 2}), words);
  };
  using enum WideIntegers;
  EXPECT_EQ(count(Operation::add, ValueType::u64, two_words), 2U);
  EXPECT_EQ(count(Operation::add, ValueType::u64, one_word), 1U);
  EXPECT_EQ(count(Operation::div, ValueType::u64, two_words), 80U);
  EXPECT_EQ(count(Operation::div, ValueType::u64, one_word), 20U);
  EXPECT_EQ(count(Operation::fma, ValueType::f64, one_word), 1U);
  EXPECT_EQ(count(Operation::div, ValueType::f64, one_word), 10U);
}

TEST(Multiplications, OfIntegersTakeInstructionsAndDelayOfOptions) {
  const auto info = [](Operation operation, ValueType type, const IssueTableOptions& options) {
    code::Program program;
    program.instructions = {make(operation, type, {1, 1, 1})};
    return IssueTable(program, options)[0];
  };
  constexpr IssueTableOptions kSlow{.multiply_instructions = 4, .multiply_delay = 60};
  for (const Operation operation : {Operation::mul_lo, Operation::mul_hi, Operation::mul_wide,
                                    Operation::mad_lo, Operation::mad_hi, Operation::mad_wide}) {
    EXPECT_EQ(info(operation, ValueType::s32, {}).expansion, 1) << name_of(operation);
    EXPECT_EQ(info(operation, ValueType::s32, {}).result_delay, 0) << name_of(operation);
    EXPECT_EQ(info(operation, ValueType::s32, kSlow).expansion, 4) << name_of(operation);
    EXPECT_EQ(info(operation, ValueType::s32, kSlow).result_delay, 60) << name_of(operation);
  }
  // 64-bit multiplications consist of 32-bit ones.
  EXPECT_EQ(info(Operation::mul_lo, ValueType::s64, kSlow).expansion, 16);
  EXPECT_EQ(info(Operation::mul_hi, ValueType::u64, kSlow).expansion, 32);
  for (const auto& [operation, type] :
       std::vector<std::pair<Operation, ValueType>>{{Operation::mul_lo, ValueType::f32},
                                                    {Operation::mul_lo, ValueType::f64},
                                                    {Operation::mul_lo, ValueType::u16},
                                                    {Operation::mul24_lo, ValueType::u32},
                                                    {Operation::mad24_lo, ValueType::u32},
                                                    {Operation::fma, ValueType::f32},
                                                    {Operation::add, ValueType::u32}}) {
    EXPECT_EQ(info(operation, type, kSlow).expansion, 1) << name_of(operation);
    EXPECT_EQ(info(operation, type, kSlow).result_delay, 0) << name_of(operation);
  }
}

}  // namespace
}  // namespace heddle::sm
