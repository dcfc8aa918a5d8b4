// setp, set and testp, compared with a model on the values of the operands.

#include <cmath>
#include <optional>

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Boolean;
using code::Comparison;
using code::FloatTest;
using code::Instruction;
using code::Operand;
using code::Operation;

/// A binary floating-point format.
struct Format {
  int exponent_bits, fraction_bits;
};
Format format_of(ValueType type) {
  switch (type) {
    case ValueType::f16:
    case ValueType::f16x2:
      return {5, 10};
    case ValueType::bf16:
    case ValueType::bf16x2:
      return {8, 7};
    case ValueType::f32:
      return {8, 23};
    default:
      return {11, 52};
  }
}
/// The exact value of the bits; empty for NaN. Infinity is represented by 2^16000, beyond all
/// finite values.
std::optional<long double> value_of(std::uint64_t bits, Format format, bool flush) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const auto exponent = static_cast<int>(bits >> format.fraction_bits &
                                         ((std::uint64_t{1} << format.exponent_bits) - 1));
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1) != 0;
  const int top = (1 << format.exponent_bits) - 1;
  long double value = 0;
  if (exponent == top) {
    if (fraction != 0) return std::nullopt;
    value = std::ldexp(1.0L, 16000);
  } else if (exponent == 0) {
    value = flush ? 0
                  : std::ldexp(static_cast<long double>(fraction),
                               2 - top / 2 - 1 - format.fraction_bits);
  } else {
    value = std::ldexp(1 + std::ldexp(static_cast<long double>(fraction), -format.fraction_bits),
                       exponent - top / 2);
  }
  return negative ? -value : value;
}

template <class T>
bool compares(Comparison comparison, const std::optional<T>& a, const std::optional<T>& b) {
  const bool numbers = a.has_value() && b.has_value();
  switch (comparison) {
    case Comparison::equal:
      return numbers && *a == *b;
    case Comparison::not_equal:
      return numbers && *a != *b;
    case Comparison::less:
      return numbers && *a < *b;
    case Comparison::less_equal:
      return numbers && *a <= *b;
    case Comparison::greater:
      return numbers && *a > *b;
    case Comparison::greater_equal:
      return numbers && *a >= *b;
    case Comparison::equal_unordered:
      return !numbers || *a == *b;
    case Comparison::not_equal_unordered:
      return !numbers || *a != *b;
    case Comparison::less_unordered:
      return !numbers || *a < *b;
    case Comparison::less_equal_unordered:
      return !numbers || *a <= *b;
    case Comparison::greater_unordered:
      return !numbers || *a > *b;
    case Comparison::greater_equal_unordered:
      return !numbers || *a >= *b;
    case Comparison::ordered:
      return numbers;
    case Comparison::unordered:
      return !numbers;
  }
  return false;
}

bool is_float(ValueType type) { return is_floating(type); }
bool is_two_halves(ValueType type) { return type == ValueType::f16x2 || type == ValueType::bf16x2; }

/// The result of comparing two values of a type. For a packed type, compares the lower halves.
bool holds(Comparison comparison, ValueType type, bool flush, std::uint64_t a, std::uint64_t b) {
  if (!is_float(type)) {
    return compares<Int>(comparison, number(a, type), number(b, type));
  }
  return compares(comparison, value_of(a, format_of(type), flush),
                  value_of(b, format_of(type), flush));
}

bool combine(Boolean boolean, bool a, bool b) {
  switch (boolean) {
    case Boolean::none:
      return a;
    case Boolean::and_:
      return a && b;
    case Boolean::or_:
      return a || b;
    case Boolean::xor_:
      return a != b;
  }
  return false;
}

const std::vector<Comparison> kIntegerComparisons = {
    Comparison::equal,      Comparison::not_equal, Comparison::less,
    Comparison::less_equal, Comparison::greater,   Comparison::greater_equal};
std::vector<Comparison> comparisons_of(ValueType type) {
  if (!is_float(type)) return kIntegerComparisons;
  std::vector<Comparison> all;
  for (int i = 0; i <= static_cast<int>(Comparison::unordered); ++i)
    all.push_back(static_cast<Comparison>(i));
  return all;
}

const std::vector<ValueType> kComparedTypes = {
    ValueType::b16, ValueType::u16, ValueType::s16,  ValueType::b32,   ValueType::u32,
    ValueType::s32, ValueType::b64, ValueType::u64,  ValueType::s64,   ValueType::f16,
    ValueType::f32, ValueType::f64, ValueType::bf16, ValueType::f16x2, ValueType::bf16x2};

/// Both results of setp for one lane.
Expected expected_of(const Instruction& i, ValueType type, const Sources& x) {
  const bool third_source = i.boolean != Boolean::none && x[2] != 0;
  const bool first = holds(i.comparison, type, i.flush_subnormals, x[0], x[1]);
  const bool second = is_two_halves(type)
                          ? holds(i.comparison, type, i.flush_subnormals, x[0] >> 16, x[1] >> 16)
                          : !first;
  return {0, combine(i.boolean, first, third_source), combine(i.boolean, second, third_source)};
}

bool has_flush(ValueType type) {
  return type == ValueType::f32 || type == ValueType::f16 || type == ValueType::f16x2;
}

TEST(Compare, SetpMatchesModelForEveryTypeAndComparison) {
  for (const ValueType type : kComparedTypes) {
    for (const Comparison comparison : comparisons_of(type)) {
      for (const bool flush : {false, true}) {
        if (flush && !has_flush(type)) continue;
        for (const Boolean boolean : {Boolean::none, Boolean::and_, Boolean::or_, Boolean::xor_}) {
          // All combinations would take long. Most types are tested with only one Boolean operation
          // for each comparison.
          const bool all_booleans = type == ValueType::s32 || type == ValueType::f16x2;
          if (!all_booleans && boolean != Boolean::none &&
              static_cast<int>(comparison) % 3 + 1 != static_cast<int>(boolean))
            continue;
          Instruction setp = instruction_of(Operation::setp, type);
          setp.comparison = comparison;
          setp.flush_subnormals = flush;
          setp.boolean = boolean;
          const int bits = bits_of(type);
          Form form{setp, {bits, bits}, 0, 2};
          if (boolean != Boolean::none) form.sources.push_back(1);
          check(
              form, [&](const Sources& x) { return expected_of(setp, type, x); }, 2);
          form.predicate_results = 1;
          if (comparison == Comparison::less) {
            check(
                form, [&](const Sources& x) { return expected_of(setp, type, x); }, 2);
          }
        }
      }
    }
  }
}

/// Values at which the results of comparisons change, in the low bits.
std::vector<std::uint64_t> corners_of(ValueType type) {
  const Format format = format_of(type);
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1)
                                 << format.fraction_bits;
  const std::uint64_t normal = std::uint64_t{1} << format.fraction_bits;
  std::vector<std::uint64_t> corners = {0,
                                        1,
                                        normal - 1,
                                        normal,
                                        normal + 1,
                                        infinity - 1,
                                        infinity,
                                        infinity + 1,
                                        infinity | normal >> 1,
                                        infinity / 2};
  const std::uint64_t sign = std::uint64_t{1} << (format.exponent_bits + format.fraction_bits);
  for (int i = 0; i < 10; ++i) corners.push_back(corners[static_cast<std::size_t>(i)] | sign);
  return corners;
}

TEST(Compare, SetpComparesSpecialValuesOfEveryFormat) {
  for (const ValueType type : {ValueType::f16, ValueType::bf16, ValueType::f32, ValueType::f64}) {
    const std::vector<std::uint64_t> corners = corners_of(type);
    for (const Comparison comparison : comparisons_of(type)) {
      for (const bool flush : {false, true}) {
        if (flush && !has_flush(type)) continue;
        for (const VectorUnit& unit : vector_units()) {
          for (const std::uint64_t a : corners) {
            LaneHarness harness;
            Instruction setp = instruction_of(Operation::setp, type);
            setp.comparison = comparison;
            setp.flush_subnormals = flush;
            const int width = type == ValueType::f64 ? 2 : 1;
            setp.sources = {Operand::immediate(a, width), Operand::reg(4, width)};
            setp.destinations = {Operand::predicate(0)};
            for (int lane = 0; lane < 20; ++lane) {
              const std::uint64_t b = corners[static_cast<std::size_t>(lane)];
              if (width == 2) {
                harness.set(4, lane, b);
              } else {
                harness.set(
                    4, lane,
                    static_cast<std::uint32_t>(b) | (bits_of(type) == 16 ? 0xffff0000U : 0U));
              }
            }
            ASSERT_TRUE(harness.execute(setp, unit));
            for (int lane = 0; lane < 20; ++lane) {
              const std::uint64_t b = corners[static_cast<std::size_t>(lane)];
              ASSERT_EQ((harness.predicate(0) >> lane & 1) != 0,
                        holds(comparison, type, flush, a, b))
                  << unit.name << ' ' << name_of(type) << " comparison "
                  << static_cast<int>(comparison) << std::hex << ' ' << a << ' ' << b;
            }
          }
        }
      }
    }
  }
}

TEST(Compare, SetpMayHaveSecondDestinationOnly) {
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    Instruction setp = instruction_of(Operation::setp, ValueType::u32);
    setp.comparison = Comparison::less;
    setp.sources = {Operand::reg(0), Operand::immediate(10)};
    setp.destinations = {Operand::none(), Operand::predicate(3)};
    for (int lane = 0; lane < 32; ++lane) harness.set(0, lane, static_cast<std::uint32_t>(lane));
    harness.context.active = 0x00ffffff;
    ASSERT_TRUE(harness.execute(setp, unit));
    EXPECT_EQ(harness.predicate(3), 0x00fffc00U);
  }
}

TEST(Compare, SetWritesTrueValueOfType) {
  struct Row {
    ValueType type, source_type;
  };
  std::vector<Row> rows;
  for (const ValueType source : kComparedTypes) {
    for (const ValueType type : {ValueType::u32, ValueType::s32}) rows.push_back({type, source});
    if (is_two_halves(source)) {
      rows.push_back({source, source});
    } else {
      for (const ValueType type :
           {ValueType::f32, ValueType::f16, ValueType::bf16, ValueType::u16, ValueType::s16}) {
        rows.push_back({type, source});
      }
    }
  }
  const auto one_of = [](ValueType type, bool half) -> std::uint64_t {
    switch (type) {
      case ValueType::f32:
        return std::bit_cast<std::uint32_t>(1.0F);
      case ValueType::f16:
      case ValueType::f16x2:
        return std::uint64_t{15} << 10;
      case ValueType::bf16:
      case ValueType::bf16x2:
        return std::bit_cast<std::uint32_t>(1.0F) >> 16;
      default:
        return half ? 0xffff : 0xffffffff;
    }
  };
  int round = 0;
  for (const Row& row : rows) {
    ++round;
    Instruction set = instruction_of(Operation::set, row.type, row.source_type);
    const std::vector<Comparison> comparisons = comparisons_of(row.source_type);
    set.comparison = comparisons[static_cast<std::size_t>(round) % comparisons.size()];
    set.boolean = static_cast<Boolean>(round % 4);
    const int bits = bits_of(row.source_type);
    Form form{set, {bits, bits}, bits_of(row.type)};
    if (set.boolean != Boolean::none) form.sources.push_back(1);
    check(form, [&](const Sources& x) {
      const Expected results = expected_of(set, row.source_type, x);
      const bool halves = is_two_halves(row.source_type);
      const std::uint64_t one = one_of(row.type, halves || bits_of(row.type) == 16);
      Int value = results.first_predicate ? Int{one} : 0;
      if (halves && results.second_predicate) value += Int{one} << 16;
      return Expected{value};
    });
  }
}

TEST(Compare, TestpClassifiesFloatingPointValues) {
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    for (int test = 0; test <= static_cast<int>(FloatTest::subnormal); ++test) {
      Instruction testp = instruction_of(Operation::testp, type);
      testp.test = static_cast<FloatTest>(test);
      const auto expected = [=](std::uint64_t bits) {
        const double value = type == ValueType::f64 ? std::bit_cast<double>(bits) : 0;
        const float single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        const int category =
            type == ValueType::f64 ? std::fpclassify(value) : std::fpclassify(single);
        switch (testp.test) {
          case FloatTest::finite:
            return category != FP_NAN && category != FP_INFINITE;
          case FloatTest::infinite:
            return category == FP_INFINITE;
          case FloatTest::number:
            return category != FP_NAN;
          case FloatTest::not_a_number:
            return category == FP_NAN;
          case FloatTest::normal:
            return category == FP_NORMAL || category == FP_ZERO;
          case FloatTest::subnormal:
            return category == FP_SUBNORMAL;
        }
        return false;
      };
      check({testp, {bits_of(type)}, 0, 1}, [=](const Sources& x) {
        return Expected{0, expected(x[0])};
      });
      for (const VectorUnit& unit : vector_units()) {
        const std::vector<std::uint64_t> corners = corners_of(type);
        LaneHarness harness;
        for (int lane = 0; lane < 20; ++lane) {
          const std::uint64_t bits = corners[static_cast<std::size_t>(lane)];
          if (type == ValueType::f64) {
            harness.set(0, lane, bits);
          } else {
            harness.set(0, lane, static_cast<std::uint32_t>(bits));
          }
        }
        testp.sources = {Operand::reg(0, bits_of(type) / 32)};
        testp.destinations = {Operand::predicate(0)};
        ASSERT_TRUE(harness.execute(testp, unit));
        for (int lane = 0; lane < 20; ++lane) {
          EXPECT_EQ((harness.predicate(0) >> lane & 1) != 0,
                    expected(corners[static_cast<std::size_t>(lane)]));
        }
        testp.sources.clear();
        testp.destinations.clear();
      }
    }
  }
}

TEST(Compare, RejectsFormsThatDoNotExist) {
  Instruction setp = instruction_of(Operation::setp, ValueType::s32);
  setp.comparison = Comparison::less_unordered;
  EXPECT_TRUE(is_refused({setp, {32, 32}, 0}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::setp, ValueType::pred), {32, 32}, 0}));
  EXPECT_TRUE(
      is_refused({instruction_of(Operation::set, ValueType::f32, ValueType::f16x2), {32, 32}}));
  EXPECT_TRUE(
      is_refused({instruction_of(Operation::set, ValueType::u64, ValueType::s32), {32, 32}, 64}));
  setp.comparison = Comparison::less;
  setp.boolean = Boolean::and_;
  EXPECT_TRUE(is_refused({setp, {32, 32}, 0}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::testp, ValueType::f16), {16}, 0}));
}

}  // namespace
}  // namespace heddle::exec::test
