// The issue table of instructions whose values the compiler has placed in levels of registers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sm/instructions/issue_table.h"

namespace heddle::sm {
namespace {

using code::Instruction;
using code::InstructionPlacement;
using code::Operand;
using code::Operation;
using code::RegisterLevel;
using code::UpperPlace;
using testing::ElementsAre;

constexpr UpperPlace kMain{};
constexpr UpperPlace kFirstEntry{.level = RegisterLevel::operand, .entry = 0};
constexpr UpperPlace kThirdEntry{.level = RegisterLevel::operand, .entry = 2};
constexpr UpperPlace kSecondSlot{.level = RegisterLevel::last_result, .entry = 1};

Instruction instruction_of(std::vector<Operand> destinations, std::vector<Operand> sources) {
  Instruction instruction;
  instruction.operation = Operation::add;
  instruction.type = ValueType::u32;
  for (const Operand& operand : destinations) instruction.destinations.push_back(operand);
  for (const Operand& operand : sources) instruction.sources.push_back(operand);
  return instruction;
}

IssueTable table_of(std::vector<Instruction> instructions,
                    std::vector<InstructionPlacement> placement = {}) {
  code::Program program;
  program.instructions = std::move(instructions);
  program.placement = std::move(placement);
  return IssueTable(program);
}

/// The given member of each use.
template <class Member>
std::vector<Member> values_of(std::span<const RegisterUse> uses, Member RegisterUse::*member) {
  std::vector<Member> values;
  for (const RegisterUse& use : uses) values.push_back(use.*member);
  return values;
}

TEST(PlacedIssueTable, LeavesUndefinedIfGuardedAndWritesWhole) {
  for (const bool is_guarded : {false, true}) {
    for (const bool writes_whole : {false, true}) {
      Instruction add = instruction_of({Operand::reg(0)}, {});
      if (is_guarded) add.guard.predicate = 1;
      add.writes_whole = writes_whole;
      EXPECT_EQ(table_of({add})[0].leaves_undefined, is_guarded && writes_whole);
    }
  }
}

TEST(PlacedIssueTable, HasStrandAndSuspendMarks) {
  const Instruction exit = instruction_of({}, {});
  std::vector<InstructionPlacement> placement(4);
  placement[1].begins_strand = true;
  placement[2].begins_strand = true;
  placement[2].suspends = true;
  placement[3].suspends = true;
  const IssueTable table = table_of({exit, exit, exit, exit}, placement);
  std::vector<bool> begins, suspends;
  for (std::uint32_t pc = 0; pc < 4; ++pc) {
    begins.push_back(table[pc].begins_strand);
    suspends.push_back(table[pc].suspends);
  }
  EXPECT_THAT(begins, ElementsAre(false, true, true, false));
  EXPECT_THAT(suspends, ElementsAre(false, false, true, true));
  const IssueTable plain = table_of({exit});
  EXPECT_FALSE(plain[0].begins_strand);
  EXPECT_FALSE(plain[0].suspends);
}

TEST(PlacedIssueTable, HasPlaceAndFillOfEachSourceWord) {
  // Predicates are listed among the registers, and the guard comes last. A placement contains
  // neither.
  Instruction select = instruction_of(
      {}, {Operand::reg(4), Operand::predicate(6), Operand::reg(8, 2), Operand::reg(4)});
  select.guard.predicate = 2;
  InstructionPlacement placement;
  placement.reads.push_back({.word = 4, .from = kSecondSlot});
  placement.reads.push_back({.word = 8, .fill_place = kThirdEntry});
  placement.reads.push_back({.word = 9, .from = kFirstEntry});
  const Instruction before = instruction_of({Operand::reg(1)}, {});
  InstructionPlacement first_placement;
  first_placement.writes.push_back({.word = 1});
  const IssueTable table = table_of({before, select}, {first_placement, placement});
  ASSERT_THAT(table.reads(table[1]), ElementsAre(4, 256 + 6, 8, 9, 256 + 2));
  const auto uses = table.read_uses(table[1]);
  EXPECT_THAT(values_of(uses, &RegisterUse::place),
              ElementsAre(kSecondSlot, kMain, kMain, kFirstEntry, kMain));
  EXPECT_THAT(values_of(uses, &RegisterUse::fill_place),
              ElementsAre(kMain, kMain, kThirdEntry, kMain, kMain));
}

TEST(PlacedIssueTable, HasPlaceAndLivenessOfEachResult) {
  const Instruction three = instruction_of(
      {Operand::predicate(0), Operand::reg(8, 2), Operand::reg(3)}, {Operand::reg(8)});
  InstructionPlacement placement;
  placement.reads.push_back({.word = 8, .from = kThirdEntry});
  placement.writes.push_back({.word = 8, .main = false, .upper = kFirstEntry});
  placement.writes.push_back({.word = 9, .upper = kSecondSlot, .live_out = true});
  placement.writes.push_back({.word = 3, .live_out = true});
  const IssueTable table = table_of({three}, {placement});
  ASSERT_THAT(table.writes(table[0]), ElementsAre(256, 8, 9, 3));
  const auto uses = table.write_uses(table[0]);
  EXPECT_THAT(values_of(uses, &RegisterUse::writes_main), ElementsAre(true, false, true, true));
  EXPECT_THAT(values_of(uses, &RegisterUse::is_live_out), ElementsAre(false, false, true, true));
  EXPECT_THAT(values_of(uses, &RegisterUse::place),
              ElementsAre(kMain, kFirstEntry, kSecondSlot, kMain));
}

}  // namespace
}  // namespace heddle::sm
