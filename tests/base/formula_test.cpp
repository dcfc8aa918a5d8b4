#include "base/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

/// The value of a formula with warps = 48 and blocks = 8.
std::optional<double> value_of(const char* text) {
  return Formula(text).evaluate([](const std::string& name) -> std::optional<double> {
    if (name == "warps") return 48;
    if (name == "blocks") return 8;
    return std::nullopt;
  });
}

TEST(Formula, AppliesUsualPrecedence) {
  EXPECT_THAT(value_of("warps * 2 + blocks"), Optional(104.0));
  EXPECT_THAT(value_of("warps * (2 + blocks) / 4"), Optional(120.0));
  EXPECT_THAT(value_of("warps - blocks - 1"), Optional(39.0));
}

TEST(Formula, ComputesBitsThatDistinguishValues) {
  EXPECT_THAT(value_of("bits(blocks)"), Optional(3.0));
  EXPECT_THAT(value_of("bits(warps)"), Optional(6.0));
  EXPECT_THAT(value_of("bits(1) + bits(2) + bits (blocks + 1)"), Optional(5.0));
  EXPECT_THAT(value_of("26 + 2 * bits(bits(warps) * 4)"), Optional(36.0));
}

TEST(Formula, AllowsBitsAsName) {
  EXPECT_THAT(Formula("bits + bits(2)").names(), ElementsAre("bits"));
}

TEST(Formula, IsEmptyForMissingValueOrDivisionByZero) {
  EXPECT_EQ(value_of("lanes"), std::nullopt);
  EXPECT_EQ(value_of("warps / (blocks - 8)"), std::nullopt);
}

TEST(Formula, RejectsInvalidTextAndNamesItsKind) {
  try {
    const Formula formula("bits(", "size");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("'bits(' is not a valid size: expected a name or a number at"));
  }
  EXPECT_THROW(Formula{std::string(100, '(')}, InputError);
}

}  // namespace
}  // namespace heddle
