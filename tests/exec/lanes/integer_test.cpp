// Integer arithmetic, compared with exact arithmetic on 128-bit integers.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;

/// Checks an operation whose sources and result all have `type` against exact arithmetic.
void check_exact(const Instruction& instruction, int sources,
                 const std::function<Int(const std::vector<Int>&)>& exact) {
  const ValueType type = instruction.type;
  check({instruction, std::vector<int>(static_cast<std::size_t>(sources), bits_of(type)),
         bits_of(type)},
        [&](const Sources& words) {
          std::vector<Int> numbers;
          for (const std::uint64_t word : words) numbers.push_back(number(word, type));
          return Expected{exact(numbers)};
        });
}
void check_exact(Operation operation, int sources, const std::vector<ValueType>& types,
                 const std::function<Int(const std::vector<Int>&)>& exact) {
  for (const ValueType type : types) check_exact(instruction_of(operation, type), sources, exact);
}

const std::vector<ValueType> kSigned = {ValueType::s16, ValueType::s32, ValueType::s64};

/// The product as a sum of shifted addends, modulo 2^128.
Int product(Int a, Int b) {
  __extension__ using Bits = unsigned __int128;
  Bits sum = 0;
  for (int i = 0; i < 128; ++i) {
    if ((static_cast<Bits>(b) >> i & 1) != 0) sum += static_cast<Bits>(a) << i;
  }
  return static_cast<Int>(sum);
}
Int low_64(Int value) { return Int{static_cast<std::uint64_t>(value)}; }
/// value / 2^by, rounded down.
Int floor_shift(Int value, int by) {
  const Int unit = Int{1} << by;
  Int quotient = value / unit;
  if (quotient * unit > value) --quotient;
  return quotient;
}

TEST(Integer, AddAndSubtractWrap) {
  check_exact(Operation::add, 2, kIntegers, [](auto& x) { return x[0] + x[1]; });
  check_exact(Operation::sub, 2, kIntegers, [](auto& x) { return x[0] - x[1]; });
  check_exact(Operation::neg, 1, kSigned, [](auto& x) { return -x[0]; });
  check_exact(Operation::abs, 1, kSigned, [](auto& x) { return x[0] < 0 ? -x[0] : x[0]; });
}

TEST(Integer, SaturatingSumsAreClamped) {
  Instruction add = instruction_of(Operation::add, ValueType::s32);
  add.saturate = true;
  check_exact(add, 2, [](auto& x) { return clamp_to(x[0] + x[1], 32, true); });
  Instruction sub = instruction_of(Operation::sub, ValueType::s32);
  sub.saturate = true;
  check_exact(sub, 2, [](auto& x) { return clamp_to(x[0] - x[1], 32, true); });
  Instruction mad = instruction_of(Operation::mad_hi, ValueType::s32);
  mad.saturate = true;
  check_exact(mad, 3, [](auto& x) {
    return clamp_to(floor_shift(product(x[0], x[1]), 32) + x[2], 32, true);
  });
}

TEST(Integer, MultipliesToLowAndHighHalf) {
  check_exact(Operation::mul_lo, 2, kIntegers, [](auto& x) { return product(x[0], x[1]); });
  check_exact(Operation::mad_lo, 3, kIntegers,
              [](auto& x) { return low_64(product(x[0], x[1])) + x[2]; });
  for (const ValueType type : kIntegers) {
    const int bits = bits_of(type);
    if (type != ValueType::u64) {
      const auto high = [=](Int a, Int b) { return floor_shift(product(a, b), bits); };
      check_exact(instruction_of(Operation::mul_hi, type), 2,
                  [=](auto& x) { return high(x[0], x[1]); });
      check_exact(instruction_of(Operation::mad_hi, type), 3,
                  [=](auto& x) { return high(x[0], x[1]) + x[2]; });
    } else {  // The product of two u64 does not fit Int, so it is computed by halves.
      const auto high = [](Int a, Int b) {
        const Int half = Int{1} << 32;
        const Int low = (a % half) * (b % half);
        const Int middle = (a / half) * (b % half) + low / half;
        const Int other = (a % half) * (b / half) + middle % half;
        return (a / half) * (b / half) + middle / half + other / half;
      };
      check_exact(instruction_of(Operation::mul_hi, type), 2,
                  [=](auto& x) { return high(x[0], x[1]); });
      check_exact(instruction_of(Operation::mad_hi, type), 3,
                  [=](auto& x) { return high(x[0], x[1]) + x[2]; });
    }
  }
}

TEST(Integer, WideProductsKeepAllBits) {
  for (const ValueType type : {ValueType::u16, ValueType::s16, ValueType::u32, ValueType::s32}) {
    const int bits = bits_of(type);
    check({instruction_of(Operation::mul_wide, type), {bits, bits}, 2 * bits},
          [=](const Sources& x) {
            return Expected{product(number(x[0], type), number(x[1], type))};
          });
    check({instruction_of(Operation::mad_wide, type), {bits, bits, 2 * bits}, 2 * bits},
          [=](const Sources& x) {
            return Expected{product(number(x[0], type), number(x[1], type)) + Int{x[2]}};
          });
  }
}

TEST(Integer, Mul24IgnoresUpperByte) {
  for (const ValueType type : {ValueType::u32, ValueType::s32}) {
    const bool is_signed = type == ValueType::s32;
    const auto exact = [=](const Sources& x) {
      return product(number(x[0], 24, is_signed), number(x[1], 24, is_signed));
    };
    const std::vector<int> two = {32, 32}, three = {32, 32, 32};
    check({instruction_of(Operation::mul24_lo, type), two},
          [=](const Sources& x) { return Expected{exact(x)}; });
    check({instruction_of(Operation::mul24_hi, type), two},
          [=](const Sources& x) { return Expected{floor_shift(exact(x), 16)}; });
    check({instruction_of(Operation::mad24_lo, type), three},
          [=](const Sources& x) { return Expected{exact(x) + Int{x[2]}}; });
    check({instruction_of(Operation::mad24_hi, type), three},
          [=](const Sources& x) { return Expected{floor_shift(exact(x), 16) + Int{x[2]}}; });
    if (is_signed) {
      Instruction saturating = instruction_of(Operation::mad24_hi, type);
      saturating.saturate = true;
      check({saturating, three}, [=](const Sources& x) {
        // The upper 32 of the 48 bits are an s32.
        const auto high = static_cast<std::uint64_t>(floor_shift(exact(x), 16));
        return Expected{clamp_to(number(high, 32, true) + number(x[2], type), 32, true)};
      });
    }
  }
}

TEST(Integer, SadAddsAbsoluteDifference) {
  check_exact(Operation::sad, 3, kIntegers,
              [](auto& x) { return x[2] + std::max(x[0], x[1]) - std::min(x[0], x[1]); });
}

TEST(Integer, DivisionTruncatesAndGivesAllOnesForZero) {
  check_exact(Operation::div, 2, kIntegers,
              [](auto& x) { return x[1] == 0 ? Int{-1} : x[0] / x[1]; });
  check_exact(Operation::rem, 2, kIntegers,
              [](auto& x) { return x[1] == 0 ? Int{-1} : x[0] % x[1]; });
}

TEST(Integer, QuotientsNextToMultiplesAreExact) {
  // The dividends are multiples of the divisor, or one less. A quotient that is computed in
  // floating point is most likely to be off by one for these.
  std::mt19937_64 random(3);
  for (const VectorUnit& unit : vector_units()) {
    for (int round = 0; round < 2000; ++round) {
      LaneHarness harness;
      Instruction div = instruction_of(Operation::div, ValueType::u32);
      div.sources = {code::Operand::reg(0), code::Operand::reg(1)};
      div.destinations = {code::Operand::reg(2)};
      for (int lane = 0; lane < 32; ++lane) {
        const auto divisor = static_cast<std::uint32_t>(random() >> (32 + random() % 31)) | 1;
        const std::uint32_t quotient = static_cast<std::uint32_t>(random()) / divisor;
        harness.set(0, lane, quotient * divisor - static_cast<std::uint32_t>(random() % 2));
        harness.set(1, lane, divisor);
      }
      const LaneHarness before = harness;
      ASSERT_TRUE(harness.execute(div, unit));
      for (int lane = 0; lane < 32; ++lane) {
        ASSERT_EQ(harness.word(2, lane), before.word(0, lane) / before.word(1, lane));
      }
    }
  }
}

TEST(Integer, MinimumAndMaximumDependOnSign) {
  check_exact(Operation::min, 2, kIntegers, [](auto& x) { return std::min(x[0], x[1]); });
  check_exact(Operation::max, 2, kIntegers, [](auto& x) { return std::max(x[0], x[1]); });
  for (const Operation operation : {Operation::min, Operation::max}) {
    Instruction relu = instruction_of(operation, ValueType::s32);
    relu.relu = true;
    check_exact(relu, 2, [=](auto& x) {
      return std::max(Int{0},
                      operation == Operation::min ? std::min(x[0], x[1]) : std::max(x[0], x[1]));
    });
  }
}

TEST(Integer, PackedHalvesAreIndependent) {
  for (const ValueType type : {ValueType::u16x2, ValueType::s16x2}) {
    const bool is_signed = type == ValueType::s16x2;
    for (const Operation operation :
         {Operation::add, Operation::sub, Operation::min, Operation::max}) {
      for (const bool relu : {false, true}) {
        if (relu && (!is_signed || operation == Operation::add || operation == Operation::sub))
          continue;
        Instruction instruction = instruction_of(operation, type);
        instruction.relu = relu;
        check({instruction, {32, 32}}, [=](const Sources& x) {
          Int result = 0;
          for (int half = 0; half < 2; ++half) {
            const Int a = number(x[0] >> 16 * half, 16, is_signed);
            const Int b = number(x[1] >> 16 * half, 16, is_signed);
            Int value = operation == Operation::add   ? a + b
                        : operation == Operation::sub ? a - b
                        : operation == Operation::min ? std::min(a, b)
                                                      : std::max(a, b);
            if (relu && value < 0) value = 0;
            result += (value & 0xffff) * (half == 0 ? 1 : 65536);
          }
          return Expected{result};
        });
      }
    }
  }
}

TEST(Integer, RejectsFormsThatDoNotExist) {
  Instruction add = instruction_of(Operation::add, ValueType::u64);
  add.saturate = true;
  EXPECT_TRUE(is_refused({add, {64, 64}, 64}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::mul_wide, ValueType::u64), {64, 64}, 64}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::mul24_lo, ValueType::u64), {64, 64}, 64}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::abs, ValueType::u32), {32}, 32}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::rem, ValueType::f32), {32, 32}, 32}));
}

}  // namespace
}  // namespace heddle::exec::test
