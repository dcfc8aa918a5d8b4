#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "exec/lanes/exact_number.h"
#include "exec/lanes/model_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::IntegralRounding;
using code::Operation;
using code::Rounding;
using VT = ValueType;

constexpr VT kIntegers[] = {VT::u8, VT::s8, VT::u16, VT::s16, VT::u32, VT::s32, VT::u64, VT::s64};
constexpr VT kFloats[] = {VT::f16, VT::bf16, VT::f32, VT::f64};
constexpr Rounding kRoundings[] = {Rounding::nearest, Rounding::zero, Rounding::down, Rounding::up};
constexpr IntegralRounding kIntegralRoundings[] = {IntegralRounding::nearest,
                                                   IntegralRounding::zero, IntegralRounding::down,
                                                   IntegralRounding::up};

int width_of(VT type) { return size_of(type) * 8; }
bool is_integer(VT type) { return is_integer_or_bits(type); }

Rounding as_rounding(IntegralRounding rounding) {
  switch (rounding) {
    case IntegralRounding::zero:
      return Rounding::zero;
    case IntegralRounding::down:
      return Rounding::down;
    case IntegralRounding::up:
      return Rounding::up;
    default:
      return Rounding::nearest;
  }
}

/// The value of a source: a number, an infinity or a NaN.
struct Value {
  enum Kind { number, infinite, nan } kind = number;
  ExactNumber exact;
  bool negative = false;
  std::uint64_t nan_bits = 0;  ///< The bits of a NaN in its type.
  std::uint64_t payload = 0;   ///< The bits of the NaN as f64.
};

/// An integer's sign and magnitude.
struct SignedMagnitude {
  bool negative;
  std::uint64_t magnitude;
};
SignedMagnitude integer_value(VT type, std::uint64_t bits) {
  const int width = width_of(type);
  const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  bits &= all;
  if (is_signed_integer(type) && (bits >> (width - 1)) != 0) return {true, (~bits & all) + 1};
  return {false, bits};
}
std::uint64_t largest_of(VT type) {
  const int digits = width_of(type) - (is_signed_integer(type) ? 1 : 0);
  return digits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << digits) - 1;
}
/// An integer, saturated to its type and sign-extended to 64 bits.
std::uint64_t saturate_integer(VT type, bool negative, Wide magnitude) {
  const std::uint64_t most = largest_of(type);
  const std::uint64_t least = is_signed_integer(type) ? most + 1 : 0;
  if (negative) return 0 - static_cast<std::uint64_t>(magnitude < least ? magnitude : least);
  return static_cast<std::uint64_t>(magnitude < most ? magnitude : most);
}
/// Truncates to the destination's number of registers.
std::uint64_t truncate_to_registers(const Instruction& instruction, std::uint64_t words) {
  return instruction.destinations[0].width == 2 ? words : words & 0xffff'ffff;
}
/// Truncates to the type's width and extends according to its sign.
std::uint64_t extend(VT type, std::uint64_t bits) {
  const SignedMagnitude value = integer_value(type, bits);
  return value.negative ? 0 - value.magnitude : value.magnitude;
}

Value value_of(VT type, std::uint64_t bits, bool flush) {
  Value value;
  if (is_integer(type)) {
    const SignedMagnitude integer = integer_value(type, bits);
    value.negative = integer.negative;
    value.exact = ExactNumber(integer.negative, integer.magnitude, 0);
    return value;
  }
  const Format& format = format_of(type);
  bits &= format.sign() | (format.sign() - 1);
  if (flush && type == VT::f32) bits = format.flush(bits);
  value.negative = format.is_negative(bits);
  if (format.is_nan(bits)) {
    value.kind = Value::nan;
    // A NaN that is converted to f64 keeps its sign and payload. With .ftz, the canonical NaN is
    // converted instead.
    value.nan_bits = flush && type == VT::f32 ? format.nan : bits;
    const std::uint64_t sign = format.is_negative(value.nan_bits) ? kF64.sign() : 0;
    const std::uint64_t fraction = value.nan_bits & (format.smallest_normal() - 1);
    value.payload =
        sign | 0x7ff8'0000'0000'0000 | fraction << (kF64.fraction_bits - format.fraction_bits);
  } else if (format.is_infinite(bits)) {
    value.kind = Value::infinite;
  } else {
    value.exact = ExactNumber::from_bits(format, bits);
  }
  return value;
}

/// The result for a NaN, as on an H100. Conversions from or to f64, from bf16 to f32, and to tf32
/// with rounding away from zero keep some of its bits. All others return the canonical NaN.
std::uint64_t nan_element(const Instruction& instruction, const Value& value) {
  const Format& format = format_of(instruction.type);
  if (instruction.type == VT::f64) return value.payload;
  if (instruction.source_type == VT::f64) {
    const std::uint64_t sign = value.negative ? format.sign() : 0;
    const std::uint64_t fraction = value.payload & (kF64.smallest_normal() - 1);
    return sign | format.infinity | fraction >> (kF64.fraction_bits - format.fraction_bits);
  }
  const bool plain =
      !instruction.relu && !instruction.saturate_finite && !instruction.flush_subnormals;
  if (instruction.source_type == VT::bf16 && instruction.type == VT::f32 && plain &&
      instruction.rounding == Rounding::nearest) {
    return value.nan_bits << 16;
  }
  if (instruction.type == VT::tf32 && instruction.rounding == Rounding::nearest_away) {
    return (plain ? value.nan_bits : value.nan_bits | 0x0040'0000) >> 13;
  }
  return format.nan;
}

/// One element of a floating-point result.
std::uint64_t float_element(const Instruction& instruction, Value value) {
  const Format& format = format_of(instruction.type);
  const std::uint64_t sign = value.negative ? format.sign() : 0;
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.fraction_bits;
  if (value.kind == Value::nan) {
    return instruction.saturate ? 0 : nan_element(instruction, value);
  }
  std::uint64_t result = 0;
  if (value.kind == Value::infinite) {
    result = sign | format.overflow;
  } else {
    if (instruction.integral_rounding != IntegralRounding::none) {
      const Wide kept = value.exact.cut(0, as_rounding(instruction.integral_rounding)).kept;
      // A value of 2^110 or more is integral already.
      if (value.exact.compare_magnitude(ExactNumber(false, 1, 110)) < 0) {
        value.exact = ExactNumber(value.negative, kept, 0);
      }
    }
    result = value.exact.round_to(format, instruction.rounding);
    if (instruction.flush_subnormals && instruction.type == VT::f32) {
      result = format.flush(result);
    }
  }
  const bool below = format.is_negative(result) || format.magnitude(result) == 0;
  if (instruction.saturate) return below ? 0 : result < one ? result : one;
  if (instruction.relu && below) return 0;
  if (instruction.saturate_finite && format.is_infinite(result)) {
    return (result & format.sign()) | format.largest;
  }
  return result;
}

std::uint64_t integer_result(const Instruction& instruction, const Value& value) {
  const VT type = instruction.type;
  const bool from_double = instruction.source_type == VT::f64;
  if (value.kind == Value::nan) {
    if (!from_double && width_of(type) < 64) return 0;
    return extend(type, std::uint64_t{1} << (width_of(type) - 1));
  }
  Wide magnitude = static_cast<Wide>(1) << 100;
  if (value.kind == Value::number &&
      value.exact.compare_magnitude(ExactNumber(false, 1, 100)) < 0) {
    magnitude = value.exact.cut(0, as_rounding(instruction.integral_rounding)).kept;
  }
  return saturate_integer(type, value.negative, magnitude);
}

/// The result of cvt with one source of one element.
std::uint64_t convert(const Instruction& instruction, const Operands& operands) {
  const VT from = instruction.source_type;
  const VT to = instruction.type;
  if (is_integer(from) && is_integer(to)) {
    const SignedMagnitude value = integer_value(from, operands[0]);
    if (instruction.saturate) {
      return truncate_to_registers(instruction,
                                   saturate_integer(to, value.negative, value.magnitude));
    }
    const std::uint64_t bits = value.negative ? 0 - value.magnitude : value.magnitude;
    return truncate_to_registers(instruction, extend(to, bits));
  }
  const Value value = value_of(from, operands[0], instruction.flush_subnormals);
  if (is_integer(to)) return truncate_to_registers(instruction, integer_result(instruction, value));
  const std::uint64_t element = float_element(instruction, value);
  return to == VT::tf32 ? element << 13 : element;
}

/// The result of a conversion to a packed type, from two sources or a source's two elements.
std::uint64_t convert_pair(const Instruction& instruction, const Operands& operands) {
  const VT from = instruction.source_type;
  const int width = format_of(from).width;
  const bool flush = instruction.flush_subnormals;
  const std::uint64_t high = from == VT::f32 ? operands[0] : operands[0] >> width;
  const std::uint64_t low = from == VT::f32 ? operands[1] : operands[0];
  return float_element(instruction, value_of(from, high, flush))
             << format_of(instruction.type).width |
         float_element(instruction, value_of(from, low, flush));
}

/// Integers near powers of two and near values halfway between two floats, and random ones.
std::vector<Operands> integers_of(VT type, int random) {
  std::vector<Operands> sets;
  const int width = width_of(type);
  for (int bit = 0; bit < width; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1, 0 - power, ~power}) {
      sets.push_back({value, 0, 0});
    }
    // Values halfway between two floats or two doubles, and their neighbours.
    for (const int digits : {8, 11, 24, 53}) {
      if (bit <= digits) continue;
      const std::uint64_t half = power | std::uint64_t{1} << (bit - digits);
      for (const std::uint64_t value : {half - 1, half, half + 1, 0 - half, 0 - half - 1}) {
        sets.push_back({value, 0, 0});
      }
    }
  }
  RandomValues source(41);
  for (int i = 0; i < random; ++i) {
    const auto shift = static_cast<int>(source.bits() % 64);
    sets.push_back({source.bits() >> shift, 0, 0});
  }
  return sets;
}

/// All values of a 2-byte type; otherwise floats near all limits, including the limits of integers.
std::vector<Operands> floats_of(VT type, int random) {
  if (size_of(type) == 2) {
    std::vector<Operands> all;
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) all.push_back({bits, 0, 0});
    return all;
  }
  const Format& format = format_of(type);
  std::vector<Operands> sets = operand_sets(format, 1, random, 42);
  RandomValues source(43);
  for (int power = -2; power <= 66; ++power) {
    const std::uint64_t exponent = static_cast<std::uint64_t>(format.bias + power)
                                   << format.fraction_bits;
    for (const std::uint64_t fraction :
         {std::uint64_t{0}, std::uint64_t{1}, format.smallest_normal() - 1,
          format.smallest_normal() >> 1}) {
      sets.push_back({exponent | fraction, 0, 0});
      sets.push_back({exponent | fraction | format.sign(), 0, 0});
      // Halves: a single binary digit after the point.
      const int keep = power + 1 < format.fraction_bits ? power + 1 : format.fraction_bits;
      const std::uint64_t cut = (format.smallest_normal() - 1) >> (keep > 0 ? keep : 0);
      const std::uint64_t any = source.bits() & (format.smallest_normal() - 1) & ~cut;
      sets.push_back({exponent | any, 0, 0});
      sets.push_back({exponent | any | format.sign(), 0, 0});
    }
  }
  return sets;
}
/// Values of `from` as in floats_of(), and values near the midpoints and limits of the result type
/// `to`.
std::vector<Operands> floats_for(VT to, VT from, int random) {
  std::vector<Operands> sets = floats_of(from, random);
  if (size_of(from) == 2 || is_integer(to)) return sets;
  const Format& source = format_of(from);
  const Format& target = format_of(to);
  const int dropped = source.fraction_bits - target.fraction_bits;
  if (dropped <= 0) return sets;
  RandomValues values(44);
  for (int i = 0; i < random; ++i) {
    // An exponent in or near the target's range, and a fraction near a midpoint.
    const int range = target.bias + target.fraction_bits + 2;
    const int exponent =
        static_cast<int>(values.bits() % static_cast<std::uint64_t>(2 * range)) - range;
    const std::uint64_t fraction = values.bits() & (source.smallest_normal() - 1);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t nearly = (fraction & ~(2 * half - 1)) | half;
    const int biased = exponent + source.bias;
    if (biased < 0 || biased > 2 * source.bias) continue;
    for (const std::uint64_t chosen : {nearly, nearly - 1, nearly + 1, fraction}) {
      sets.push_back({(values.bits() & source.sign()) |
                          static_cast<std::uint64_t>(biased) << source.fraction_bits | chosen,
                      0, 0});
    }
  }
  return sets;
}

Instruction conversion(VT to, VT from, std::size_t sources = 1) {
  return make_instruction(Operation::convert, to, sources, from);
}

void expect_converted(const Instruction& instruction, const std::vector<Operands>& sets) {
  expect_model(instruction, sets,
               [&](const Operands& operands) { return convert(instruction, operands); });
}

TEST(ConvertLanes, IntegersAreTruncatedOrExtendedToRegister) {
  for (const VT to : kIntegers) {
    for (const VT from : kIntegers) {
      for (const bool wide : {false, true}) {
        for (const bool saturate : {false, true}) {
          Instruction instruction = conversion(to, from);
          if (wide) instruction.destinations[0].width = 2;
          instruction.saturate = saturate;
          expect_converted(instruction, integers_of(from, 100));
        }
      }
    }
  }
}

TEST(ConvertLanes, SourceMayBeWiderThanItsType) {
  Instruction instruction = conversion(VT::s32, VT::s16);
  instruction.sources[0].width = 2;
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    for (int lane = 0; lane < 32; ++lane)
      harness.set<std::uint64_t>(4, lane, 0x1234'5678'9abc'8001);
    ASSERT_TRUE(harness.execute(instruction, unit));
    EXPECT_EQ(harness.word(0, 5), 0xffff'8001);
  }
}

TEST(ConvertLanes, IntegersToFloatsAreRoundedOnce) {
  for (const VT to : kFloats) {
    for (const VT from : kIntegers) {
      for (const Rounding rounding : kRoundings) {
        for (const bool saturate : {false, true}) {
          Instruction instruction = conversion(to, from);
          instruction.rounding = rounding;
          instruction.saturate = saturate;
          expect_converted(instruction, integers_of(from, saturate ? 10 : 300));
        }
      }
    }
  }
}

TEST(ConvertLanes, FloatsToIntegersAreRoundedAndSaturated) {
  for (const VT to : kIntegers) {
    for (const VT from : {VT::f32, VT::f64}) {
      for (const IntegralRounding rounding : kIntegralRoundings) {
        for (const bool flush : {false, true}) {
          if (flush && from == VT::f64) continue;
          Instruction instruction = conversion(to, from);
          instruction.integral_rounding = rounding;
          instruction.flush_subnormals = flush;
          expect_converted(instruction, floats_of(from, flush ? 100 : 800));
        }
      }
    }
  }
}

TEST(ConvertLanes, EveryHalfToIntegersIsRoundedAndSaturated) {
  for (const VT from : {VT::f16, VT::bf16}) {
    for (const IntegralRounding rounding : kIntegralRoundings) {
      Instruction instruction = conversion(VT::s64, from);
      instruction.integral_rounding = rounding;
      expect_converted(instruction, floats_of(from, 0));
    }
    for (const VT to : kIntegers) {
      Instruction instruction = conversion(to, from);
      instruction.integral_rounding = IntegralRounding::zero;
      std::vector<Operands> some;
      for (std::uint64_t bits = 0; bits < 0x10000; bits += 61) some.push_back({bits, 0, 0});
      expect_converted(instruction, some);
    }
  }
}

TEST(ConvertLanes, NarrowIntegerFillsRegisterPair) {
  for (const VT to : {VT::u8, VT::s16, VT::s32, VT::u32}) {
    Instruction instruction = conversion(to, VT::f32);
    instruction.integral_rounding = IntegralRounding::down;
    instruction.destinations[0].width = 2;
    expect_converted(instruction, floats_of(VT::f32, 100));
  }
  Instruction to_float = conversion(VT::f32, VT::s32);
  to_float.destinations[0].width = 2;
  expect_converted(to_float, integers_of(VT::s32, 100));
}

TEST(ConvertLanes, FloatsToFloatsAreRoundedOnceInEveryDirection) {
  for (const VT to : kFloats) {
    for (const VT from : kFloats) {
      for (const Rounding rounding : kRoundings) {
        const bool widening = size_of(to) > size_of(from);
        if (widening && rounding != Rounding::nearest) continue;
        Instruction instruction = conversion(to, from);
        instruction.rounding = rounding;
        expect_converted(instruction, floats_for(to, from, 700));
      }
    }
  }
}

TEST(ConvertLanes, FloatsToFloatsApplyModifiers) {
  for (const VT to : kFloats) {
    for (const VT from : kFloats) {
      for (int modifiers = 1; modifiers < 5; ++modifiers) {
        for (const Rounding rounding : {Rounding::nearest, Rounding::zero}) {
          Instruction instruction = conversion(to, from);
          instruction.rounding = rounding;
          instruction.saturate = modifiers == 1;
          instruction.flush_subnormals = modifiers == 2;
          instruction.relu = modifiers == 3;
          instruction.saturate_finite = modifiers == 4;
          if (instruction.saturate_finite && size_of(to) != 2) continue;
          std::vector<Operands> sets = floats_for(to, from, 200);
          if (sets.size() == 0x10000) {
            for (std::size_t i = 0; i < 0x800; ++i) sets[i] = sets[i * 32 + 31 - i % 32];
            sets.resize(0x800);
          }
          expect_converted(instruction, sets);
        }
      }
    }
  }
}

TEST(ConvertLanes, RoundingToIntegralKeepsTypeAndSign) {
  for (const VT type : kFloats) {
    for (const IntegralRounding rounding : kIntegralRoundings) {
      for (int modifiers = 0; modifiers < 3; ++modifiers) {
        Instruction instruction = conversion(type, type);
        instruction.integral_rounding = rounding;
        instruction.flush_subnormals = modifiers == 1;
        instruction.saturate = modifiers == 2;
        if (modifiers != 0 && type != VT::f32) continue;
        expect_converted(instruction, floats_of(type, 500));
      }
    }
  }
}

TEST(ConvertLanes, Tf32HasTenFractionBits) {
  for (const Rounding rounding : {Rounding::nearest, Rounding::zero, Rounding::nearest_away}) {
    for (int modifiers = 0; modifiers < 3; ++modifiers) {
      Instruction instruction = conversion(VT::tf32, VT::f32);
      instruction.rounding = rounding;
      instruction.relu = modifiers == 1;
      instruction.saturate_finite = modifiers == 2;
      expect_converted(instruction, floats_for(VT::tf32, VT::f32, 2000));
    }
  }
  Instruction up = conversion(VT::tf32, VT::f32);
  up.rounding = Rounding::up;
  expect_no_handler(up);
}

TEST(ConvertLanes, PacksFirstSourceIntoUpperHalf) {
  for (const VT to : {VT::f16x2, VT::bf16x2, VT::e4m3x2, VT::e5m2x2}) {
    const bool eight_bits = size_of(to) == 2;
    for (int modifiers = 0; modifiers < 8; ++modifiers) {
      Instruction instruction = conversion(to, VT::f32, 2);
      instruction.relu = (modifiers & 1) != 0;
      instruction.saturate_finite = eight_bits || (modifiers & 2) != 0;
      instruction.rounding = (modifiers & 4) != 0 ? Rounding::zero : Rounding::nearest;
      if (eight_bits && modifiers > 1) continue;
      std::vector<Operands> sets = floats_for(to, VT::f32, 1500);
      for (std::size_t i = 0; i < sets.size(); ++i) sets[i][1] = sets[(i * 7 + 3) % sets.size()][0];
      expect_model(instruction, sets,
                   [&](const Operands& operands) { return convert_pair(instruction, operands); });
    }
  }
}

TEST(ConvertLanes, WidensEveryPairOfEightBitFloats) {
  for (const VT from : {VT::e4m3x2, VT::e5m2x2}) {
    for (const bool relu : {false, true}) {
      Instruction instruction = conversion(VT::f16x2, from);
      instruction.relu = relu;
      std::vector<Operands> sets;
      for (std::uint64_t bits = 0; bits < 0x10000; bits += 3) sets.push_back({bits, 0, 0});
      expect_model(instruction, sets,
                   [&](const Operands& operands) { return convert_pair(instruction, operands); });
    }
  }
}

TEST(ConvertLanes, NarrowsEveryHalfToEightBits) {
  for (const VT to : {VT::e4m3x2, VT::e5m2x2}) {
    for (const bool relu : {false, true}) {
      Instruction instruction = conversion(to, VT::f16x2);
      instruction.relu = relu;
      instruction.saturate_finite = true;
      std::vector<Operands> sets;
      for (std::uint64_t bits = 0; bits < 0x10000; bits += relu ? 7 : 1) {
        sets.push_back({bits | (bits * 40503 & 0xffff) << 16, 0, 0});
      }
      expect_model(instruction, sets,
                   [&](const Operands& operands) { return convert_pair(instruction, operands); });
    }
  }
}

TEST(ConvertLanes, ConvertsKnownValues) {
  const auto one = [](const Instruction& instruction, const Operands& operands) {
    return results_of(instruction, {operands}, vector_units().front()).front();
  };
  const auto to_integer = [](VT to, VT from) {
    Instruction instruction = conversion(to, from);
    instruction.integral_rounding = IntegralRounding::nearest;
    return instruction;
  };
  EXPECT_EQ(one(to_integer(VT::s32, VT::f32), {0x4020'0000, 0, 0}), 2U);  // 2.5
  EXPECT_EQ(one(to_integer(VT::s32, VT::f32), {0x7fff'ffff, 0, 0}), 0U);
  EXPECT_EQ(one(to_integer(VT::s32, VT::f64), {~std::uint64_t{0}, 0, 0}), 0x8000'0000);
  EXPECT_EQ(one(to_integer(VT::s64, VT::f32), {0x7fff'ffff, 0, 0}), std::uint64_t{1} << 63);
  EXPECT_EQ(one(to_integer(VT::u8, VT::f32), {0x4500'0000, 0, 0}), 255U);         // 2048
  EXPECT_EQ(one(to_integer(VT::s8, VT::f32), {0xc500'0000, 0, 0}), 0xffff'ff80);  // -2048
  EXPECT_EQ(one(conversion(VT::f16x2, VT::f32, 2), {0x3f80'0000, 0x4000'0000, 0}), 0x3c00'4000U);
  Instruction to_e4m3 = conversion(VT::e4m3x2, VT::f32, 2);
  to_e4m3.saturate_finite = true;
  EXPECT_EQ(one(to_e4m3, {0x3f80'0000, 0xff80'0000, 0}), 0x38feU);  // 1, -infinity
  EXPECT_EQ(one(conversion(VT::f32, VT::f16), {0xfe00, 0, 0}), 0x7fff'ffffU);
}

TEST(ConvertLanes, RejectsFormsThatDoNotExist) {
  expect_no_handler(conversion(VT::s32, VT::f32));  // no integral rounding
  expect_no_handler(conversion(VT::f16x2, VT::f64, 2));
  expect_no_handler(conversion(VT::f16x2, VT::f32, 1));
  Instruction away = conversion(VT::f16, VT::f32);
  away.rounding = Rounding::nearest_away;
  expect_no_handler(away);
}

}  // namespace
}  // namespace heddle::exec::test
