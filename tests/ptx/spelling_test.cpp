// Tests of the spellings of opcodes, suffixes, types and special registers, and of the table that
// describes which operands, types and suffixes each instruction takes (ptx/rules.def).

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "ptx/opcode.h"
#include "ptx/rules.h"
#include "ptx/spelling_table.h"

namespace heddle::ptx {
namespace {

TEST(Spelling, FindsEveryOpcode) {
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_EQ(find_opcode(spelling_of(opcode)), opcode) << spelling_of(opcode);
    EXPECT_TRUE(seen.insert(spelling_of(opcode)).second)
        << "expected unique spellings; repeated: " << spelling_of(opcode);
  }
  EXPECT_EQ(spelling_of(Opcode::and_), "and");
  EXPECT_EQ(spelling_of(Opcode::unknown), "?");
  EXPECT_EQ(find_opcode("?"), Opcode::unknown);
  EXPECT_EQ(find_opcode(""), Opcode::unknown);
  EXPECT_EQ(find_opcode("ADD"), Opcode::unknown);
}

TEST(Spelling, FindsEveryModifier) {
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < kModifierCount; ++i) {
    const auto modifier = static_cast<Modifier>(i);
    EXPECT_EQ(find_modifier(spelling_of(modifier)), modifier) << spelling_of(modifier);
    EXPECT_TRUE(seen.insert(spelling_of(modifier)).second)
        << "expected unique spellings; repeated: " << spelling_of(modifier);
  }
  EXPECT_EQ(find_modifier("L1::evict_last"), Modifier::L1_evict_last);
  EXPECT_EQ(find_modifier("shared::cta"), Modifier::shared_cta);
  EXPECT_EQ(find_modifier("volatile"), Modifier::volatile_);
  EXPECT_EQ(find_modifier("2d"), Modifier::geom_2d);
  EXPECT_EQ(find_modifier("NaN"), Modifier::NaN);
  EXPECT_EQ(find_modifier("nan"), Modifier::nan);
  EXPECT_EQ(find_modifier("Nan"), Modifier::unknown);
}

TEST(Spelling, FindsEverySpecialRegister) {
  for (std::size_t i = 0; i < kSpecialRegisterCount; ++i) {
    const auto special = static_cast<SpecialRegister>(i);
    EXPECT_EQ(find_special_register(spelling_of(special)), special) << spelling_of(special);
  }
  EXPECT_EQ(find_special_register("%tid"), std::nullopt);
  EXPECT_EQ(type_of(SpecialRegister::clock64), ValueType::u64);
  EXPECT_EQ(type_of(SpecialRegister::tid_x), ValueType::u32);
}

TEST(Spelling, FindsEveryType) {
  for (auto i = static_cast<int>(ValueType::pred); i <= static_cast<int>(ValueType::surfref); ++i) {
    const auto type = static_cast<ValueType>(i);
    EXPECT_EQ(find_type(name_of(type)), type) << name_of(type);
  }
  EXPECT_EQ(find_type("none"), std::nullopt);
  EXPECT_EQ(find_type("u33"), std::nullopt);
}

TEST(Spelling, DistinguishesNamesInSameHashSlot) {
  constexpr std::array<Spelling<int>, 5> kNames = {
      {{"a", 1}, {"b", 2}, {"ab", 3}, {"ba", 4}, {"aa", 5}}};
  constexpr SpellingTable kTable(kNames);
  for (const auto& name : kNames) EXPECT_EQ(kTable.find(name.text), name.value);
  EXPECT_EQ(kTable.find("bb"), std::nullopt);
  EXPECT_EQ(kTable.find(""), std::nullopt);
}

TEST(Rules, ContainOnlyKnownSuffixesAndTypes) {
  // A misspelt suffix or type in the table would make the parser reject valid instructions.
  struct Row {
    std::string_view when, operands, types, suffixes;
  };
  const Row rows[] = {
#define HEDDLE_PTX_FORM(opcode, when, operands, types, suffixes) {when, operands, types, suffixes},
#include "ptx/rules.def"
  };
  const auto names_in = [](std::string_view text) {
    std::vector<std::string> out(1);
    for (const char c : text) {
      if (c == ' ' || c == ',') {
        out.emplace_back();
      } else {
        out.back() += c;
      }
    }
    std::erase(out, "");
    return out;
  };
  for (const Row& row : rows) {
    for (const std::string& name : names_in(row.when)) {
      EXPECT_NE(find_modifier(name), Modifier::unknown) << name;
    }
    for (const std::string& name : names_in(row.suffixes)) {
      EXPECT_NE(find_modifier(name), Modifier::unknown) << name;
    }
    for (const std::string& name : names_in(row.types)) EXPECT_TRUE(find_type(name)) << name;
    EXPECT_EQ(row.operands.find_first_not_of("DWabwIikfPpmLsVtlTMnCvx?|*"), std::string_view::npos)
        << row.operands;
  }
  const std::pair<std::string_view, std::string_view> needs[] = {
#define HEDDLE_PTX_NEEDS(opcode, types, alternatives) {types, alternatives},
#include "ptx/rules.def"
  };
  for (const auto& [types, alternatives] : needs) {
    for (const std::string& name : names_in(types)) EXPECT_TRUE(find_type(name)) << name;
    for (const std::string& name : names_in(alternatives)) {
      EXPECT_NE(find_modifier(name), Modifier::unknown) << name;
    }
  }
}

}  // namespace
}  // namespace heddle::ptx
