// Tests of constant expressions against the C++ compiler's own arithmetic.

#include "ptx/expression.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>

namespace heddle::ptx {
namespace {

struct Evaluated {
  std::optional<Constant> value;  ///< None after an error.
  Diagnostics diagnostics;
  bool is_all_read = false;  ///< Whether the text ends after the expression.
};

Evaluated evaluate(std::string_view text) {
  Evaluated e;
  TokenStream tokens(text, e.diagnostics);
  e.value = parse_constant(tokens);
  e.is_all_read = tokens.at_end();
  return e;
}

/// The bits of an expression that must be an integer.
std::uint64_t integer(std::string_view text) {
  const Evaluated e = evaluate(text);
  EXPECT_TRUE(e.value && e.value->is_integer() && e.is_all_read) << text;
  return e.value ? e.value->bits : 0xbad;
}

/// The first error in an expression that must have one.
std::string error(std::string_view text) {
  const Evaluated e = evaluate(text);
  EXPECT_FALSE(e.value) << text;
  return e.diagnostics.entries().empty() ? "none" : e.diagnostics.entries().front().message;
}

// Expects the value that the C++ compiler computes for the same text, which intentionally lacks
// parentheses.
#pragma GCC diagnostic ignored "-Wparentheses"
#define HEDDLE_AGREES(expression)                                                       \
  EXPECT_EQ(integer(#expression), static_cast<std::uint64_t>(std::int64_t{expression})) \
      << #expression

TEST(ConstantExpression, FollowsPrecedenceOfC) {
  HEDDLE_AGREES(1 + 2 * 3);
  HEDDLE_AGREES((1 + 2) * 3);
  HEDDLE_AGREES(20 / 3 % 4);
  HEDDLE_AGREES(2 - 3 - 4);
  HEDDLE_AGREES(1 << 2 + 3);
  HEDDLE_AGREES(100 >> 2 >> 1);
  HEDDLE_AGREES((5 & 3) == 1);
  HEDDLE_AGREES(5 & 3 | 8 ^ 2);
  HEDDLE_AGREES(1 | 6 & 3);
  HEDDLE_AGREES(6 ^ 3 & 2);
  HEDDLE_AGREES((1 < 2) == (3 >= 3));
  HEDDLE_AGREES(1 || 0 && 0);
  HEDDLE_AGREES(0 ? 1 : 0 ? 2 : 3);
  HEDDLE_AGREES(1 ? 0 ? 4 : 5 : 6);
  HEDDLE_AGREES(-5 / 2);
  HEDDLE_AGREES(-5 % 3);
  HEDDLE_AGREES(-8 >> 1);
  HEDDLE_AGREES(- -3);
  HEDDLE_AGREES(~5 + !0 + !7);
  HEDDLE_AGREES(+4 - -4);
  HEDDLE_AGREES(-1 < 0);
  HEDDLE_AGREES(3 != 3);
}

TEST(ConstantExpression, AcceptsNumberBasesOfC) {
  HEDDLE_AGREES(0x1F + 0b101 + 017 + 9);
  EXPECT_EQ(integer("0xFFFFFFFFFFFFFFFF"), ~std::uint64_t{0});
  EXPECT_EQ(integer("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(integer("WARP_SZ - 1"), 31U);
  EXPECT_EQ(integer("0U"), 0U);
}

TEST(ConstantExpression, IsUnsignedIfOneOperandIs) {
  EXPECT_EQ(integer("-1 < 0U"), 0U);
  EXPECT_EQ(integer("-8 / 2U"), 0x7FFFFFFFFFFFFFFCU);
  EXPECT_EQ(integer("(.u64)-1 >> 60"), 15U);
  EXPECT_EQ(integer("(.s64)0xFFFFFFFFFFFFFFFF >> 60"), ~std::uint64_t{0});
  EXPECT_EQ(integer("(.s64)0xFFFFFFFFFFFFFFFF < 0"), 1U);
  EXPECT_EQ(integer("0xFFFFFFFFFFFFFFFF < 0"), 0U);
}

TEST(ConstantExpression, WrapsAroundWhereCppIsUndefined) {
  EXPECT_EQ(integer("0x7FFFFFFFFFFFFFFF + 1"), std::uint64_t{1} << 63);
  EXPECT_EQ(integer("(.s64)0x8000000000000000 / -1"), std::uint64_t{1} << 63);
  EXPECT_EQ(integer("(.s64)0x8000000000000000 % -1"), 0U);
  EXPECT_EQ(integer("1 << 64"), 0U);
  EXPECT_EQ(integer("1 << -1"), 0U);
  EXPECT_EQ(integer("-1 >> 100"), ~std::uint64_t{0});
  EXPECT_EQ(integer("5U >> 64"), 0U);
}

TEST(ConstantExpression, EvaluatesDoubles) {
  const auto number = [](std::string_view text) {
    const Evaluated e = evaluate(text);
    EXPECT_TRUE(e.value && e.value->kind == Constant::Kind::f64) << text;
    return e.value->as_double();
  };
  EXPECT_EQ(number("1.5 + 2.25"), 3.75);
  EXPECT_EQ(number("-1.5 * 3"), -4.5);
  EXPECT_EQ(number("1e3 / 8"), 125.0);
  EXPECT_EQ(number("0d3FF8000000000000"), 1.5);
  EXPECT_EQ(number(".5 - 5."), -4.5);
  EXPECT_EQ(integer("1.5 < 2.0"), 1U);
  EXPECT_EQ(integer("!0.0"), 1U);
  const Evaluated pattern = evaluate("0f7FC00001");
  EXPECT_EQ(pattern.value->kind, Constant::Kind::f32);
  EXPECT_EQ(pattern.value->bits, 0x7FC00001U) << "expected the bits of a NaN to be unchanged";
}

TEST(ConstantExpression, ReportsErrors) {
  EXPECT_EQ(error("1 / 0"), "division by zero");
  EXPECT_EQ(error("1 % 0U"), "division by zero");
  EXPECT_EQ(error("1.0 / 0"), "division by zero");
  EXPECT_EQ(error("1.5 & 1"), "this operator takes integers");
  EXPECT_EQ(error("~1.5"), "this operator takes an integer");
  EXPECT_EQ(error("-0f3F800000"), "a 0f constant takes no operators");
  EXPECT_EQ(error("1 + 0f3F800000"), "a 0f constant takes no operators");
  EXPECT_EQ(error("(.s64)1.0"), "only integers can be cast");
  EXPECT_EQ(error("18446744073709551616"), "18446744073709551616 does not fit into 64 bits");
  EXPECT_EQ(error("1e999"), "1e999 does not fit into 64 bits");
  EXPECT_EQ(error("(1"), "expected ')' of the expression, but the text ends here");
  EXPECT_EQ(error("1 ? 2"), "expected ':' of the conditional expression, but the text ends here");
  EXPECT_EQ(error("x"), "expected a constant, found 'x'");
  EXPECT_EQ(error("08"), "'08' is not a number");
}

TEST(ConstantExpression, LimitsNestingDepth) {
  const std::string shallow = std::string(50, '(') + "1" + std::string(50, ')');
  EXPECT_EQ(integer(shallow), 1U);
  const std::string deep(1'000'000, '(');
  EXPECT_EQ(error(deep), "this expression is nested too deeply");
  EXPECT_EQ(error(std::string(1'000'000, '-')), "this expression is nested too deeply");
  std::string chain;
  for (int i = 0; i < 100'000; ++i) chain += "1?";
  EXPECT_EQ(error(chain), "this expression is nested too deeply");
}

__extension__ typedef __int128 Wide;

/// Generates a random expression and its value, computed in 128 bits and truncated to 64 at each
/// step.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string make(int depth, std::int64_t& value) {
    const unsigned choice = depth == 0 ? 0 : random_() % 8;
    if (choice == 0) {
      value = static_cast<std::int64_t>(random_() % 1000);
      return std::to_string(value);
    }
    if (choice == 1) {
      std::string text = make(depth - 1, value);
      value = wrap(-Wide{value});
      return "-(" + text + ")";
    }
    std::int64_t a = 0;
    std::int64_t b = 0;
    const std::string left = make(depth - 1, a);
    const std::string right = make(depth - 1, b);
    const auto both = [&](const char* op) { return "(" + left + ")" + op + "(" + right + ")"; };
    switch (choice) {
      case 2:
        value = wrap(Wide{a} + b);
        return both("+");
      case 3:
        value = wrap(Wide{a} - b);
        return both("-");
      case 4:
        value = wrap(Wide{a} * b);
        return both("*");
      case 5:
        value = a < b ? 1 : 0;
        return both("<");
      case 6:
        value = a ^ b;
        return both("^");
      default:
        if (b == 0) {
          value = a;
          return left;
        }
        value = wrap(Wide{a} / b);
        return both("/");
    }
  }

 private:
  static std::int64_t wrap(Wide v) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(v));
  }
  std::mt19937 random_;
};

TEST(ConstantExpression, AgreesWithExactArithmeticOnRandomTrees) {
  RandomExpression expressions(1);
  for (int i = 0; i < 2000; ++i) {
    std::int64_t value = 0;
    const std::string text = expressions.make(6, value);
    ASSERT_EQ(integer(text), static_cast<std::uint64_t>(value)) << text;
  }
}

TEST(ConstantBits, AreTruncatedOrRoundedToType) {
  const Constant minus_one{Constant::Kind::signed_integer, ~std::uint64_t{0}};
  EXPECT_EQ(bits_as(minus_one, ValueType::u8), 0xFFU);
  EXPECT_EQ(bits_as(minus_one, ValueType::s32), 0xFFFFFFFFU);
  EXPECT_EQ(bits_as(minus_one, ValueType::b64), ~std::uint64_t{0});
  EXPECT_EQ(bits_as(minus_one, ValueType::f32), std::nullopt);
  const Constant tenth = Constant::from_double(0.1);
  EXPECT_EQ(bits_as(tenth, ValueType::f64), std::bit_cast<std::uint64_t>(0.1));
  EXPECT_EQ(bits_as(tenth, ValueType::f32), std::bit_cast<std::uint32_t>(0.1F));
  EXPECT_EQ(bits_as(tenth, ValueType::b32), std::bit_cast<std::uint32_t>(0.1F));
  EXPECT_EQ(bits_as(tenth, ValueType::u32), std::nullopt);
  EXPECT_EQ(bits_as(tenth, ValueType::f16), std::nullopt);
  const Constant half{Constant::Kind::f32, 0x3F000000};
  EXPECT_EQ(bits_as(half, ValueType::f32), 0x3F000000U);
  EXPECT_EQ(bits_as(half, ValueType::f64), std::bit_cast<std::uint64_t>(0.5));
}

}  // namespace
}  // namespace heddle::ptx
