// Bit manipulation, compared with loops over bits as in the PTX manual.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;

bool bit(std::uint64_t word, int position) { return (word >> position & 1) != 0; }

TEST(Bits, PopcClzAndBrevMatchModel) {
  for (const ValueType type : {ValueType::b32, ValueType::b64}) {
    const int bits = bits_of(type);
    check({instruction_of(Operation::popc, type), {bits}}, [=](const Sources& x) {
      int count = 0;
      for (int i = 0; i < bits; ++i) count += bit(x[0], i) ? 1 : 0;
      return Expected{count};
    });
    check({instruction_of(Operation::clz, type), {bits}}, [=](const Sources& x) {
      int zeros = 0;
      while (zeros < bits && !bit(x[0], bits - 1 - zeros)) ++zeros;
      return Expected{zeros};
    });
    check({instruction_of(Operation::brev, type), {bits}, bits}, [=](const Sources& x) {
      Int result = 0;
      for (int i = 0; i < bits; ++i) result = result * 2 + (bit(x[0], i) ? 1 : 0);
      return Expected{result};
    });
  }
}

TEST(Bits, BfindSkipsTheSignBits) {
  for (const ValueType type : {ValueType::u32, ValueType::s32, ValueType::u64, ValueType::s64}) {
    const int bits = bits_of(type);
    for (const bool shift_amount : {false, true}) {
      Instruction bfind = instruction_of(Operation::bfind, type);
      bfind.shift_amount = shift_amount;
      check({bfind, {bits}}, [=](const Sources& x) {
        const bool skipped = is_signed_integer(type) && bit(x[0], bits - 1);
        for (int i = bits - 1; i >= 0; --i) {
          if (bit(x[0], i) != skipped) return Expected{shift_amount ? bits - 1 - i : i};
        }
        return Expected{0xffffffff};
      });
    }
  }
}

/// The position or length of a field. With 32-bit operands only the low 8 bits matter, with 64-bit
/// operands the low 24 bits, as in the code that ptxas generates.
std::int64_t field_amount(ValueType type, std::uint64_t given) {
  return static_cast<std::int64_t>(bits_of(type) == 64 ? given & 0xffff'ffff : given & 0xff);
}

TEST(Bits, BfeExtractsAndExtendsField) {
  for (const ValueType type : {ValueType::u32, ValueType::s32, ValueType::u64, ValueType::s64}) {
    const int last = bits_of(type) - 1;
    check({instruction_of(Operation::bfe, type), {last + 1, 32, 32}, last + 1},
          [=](const Sources& x) {
            const std::int64_t position = field_amount(type, x[1]);
            const std::int64_t length = field_amount(type, x[2]);
            const bool sign =
                is_signed_integer(type) && length != 0 &&
                bit(x[0], static_cast<int>(std::min<std::int64_t>(position + length - 1, last)));
            std::uint64_t result = 0;
            for (int i = 0; i <= last; ++i) {
              const bool inside = i < length && position + i <= last;
              if (inside ? bit(x[0], static_cast<int>(position) + i) : sign)
                result |= std::uint64_t{1} << i;
            }
            return Expected{result};
          });
  }
}

TEST(Bits, BfiInsertsField) {
  for (const ValueType type : {ValueType::b32, ValueType::b64}) {
    const int last = bits_of(type) - 1;
    check({instruction_of(Operation::bfi, type), {last + 1, last + 1, 32, 32}, last + 1},
          [=](const Sources& x) {
            const std::int64_t position = field_amount(type, x[2]);
            const std::int64_t length = field_amount(type, x[3]);
            std::uint64_t result = x[1];
            for (int i = 0; i < length && position + i <= last; ++i) {
              const std::uint64_t at = std::uint64_t{1} << (position + i);
              result = bit(x[0], i) ? result | at : result & ~at;
            }
            return Expected{result};
          });
  }
}

TEST(Bits, BmskBuildsMaskFromStartAndWidth) {
  for (const bool wrap : {false, true}) {
    Instruction bmsk = instruction_of(Operation::bmsk, ValueType::b32);
    bmsk.wrap = wrap;
    check({bmsk, {32, 32}}, [=](const Sources& x) {
      const std::uint64_t start = wrap ? x[0] % 32 : x[0];
      const std::uint64_t width = wrap ? x[1] % 32 : x[1];
      Int result = 0;
      for (std::uint64_t i = 0; i < 32; ++i) {
        if (i >= start && i - start < width) result += Int{1} << i;
      }
      return Expected{result};
    });
  }
}

TEST(Bits, SzextExtendsFromWidth) {
  for (const ValueType type : {ValueType::u32, ValueType::s32}) {
    for (const bool wrap : {false, true}) {
      Instruction szext = instruction_of(Operation::szext, type);
      szext.wrap = wrap;
      check({szext, {32, 32}}, [=](const Sources& x) {
        const std::uint64_t width = wrap ? x[1] % 32 : std::min<std::uint64_t>(x[1], 32);
        return Expected{number(x[0], static_cast<int>(width), type == ValueType::s32)};
      });
    }
  }
}

TEST(Bits, FnsFindsTheNthSetBit) {
  const Form form{instruction_of(Operation::fns, ValueType::b32), {32, 32, 32}};
  const Model model = [](const Sources& x) {
    const auto offset = static_cast<int>(number(x[2], ValueType::s32));
    std::vector<int> set;
    for (int i = 0; i < 32; ++i) {
      const bool ahead = offset == 0  ? Int{x[1]} == i
                         : offset > 0 ? i >= Int{x[1]}
                                      : i <= Int{x[1]} && x[1] < 32;
      if (bit(x[0], i) && ahead) set.push_back(i);
    }
    if (offset < 0) std::reverse(set.begin(), set.end());
    const std::int64_t distance = offset < 0 ? -std::int64_t{offset} : offset;
    const auto nth = static_cast<std::size_t>(distance == 0 ? 0 : distance - 1);
    return Expected{nth < set.size() ? set[nth] : 0xffffffff};
  };
  check(form, model);
  // Small offsets and bases, for which there mostly is such a bit.
  for (const VectorUnit& unit : vector_units()) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
      LaneHarness harness;
      Instruction fns = form.instruction;
      fns.sources = {code::Operand::reg(0), code::Operand::reg(1), code::Operand::reg(2)};
      fns.destinations = {code::Operand::reg(3)};
      for (int lane = 0; lane < 32; ++lane) {
        harness.set(0, lane, static_cast<std::uint32_t>(random()));
        harness.set(1, lane, static_cast<std::uint32_t>(random() % 33));
        harness.set(2, lane, static_cast<std::int32_t>(random() % 30) - 15);
      }
      ASSERT_TRUE(harness.execute(fns, unit));
      for (int lane = 0; lane < 32; ++lane) {
        const Expected expected =
            model({harness.word(0, lane), harness.word(1, lane), harness.word(2, lane)});
        ASSERT_EQ(harness.word(3, lane), static_cast<std::uint32_t>(expected.value));
      }
    }
  }
}

TEST(Bits, Dp4aAndDp2aAccumulateProducts) {
  for (const ValueType a_type : {ValueType::u32, ValueType::s32}) {
    for (const ValueType b_type : {ValueType::u32, ValueType::s32}) {
      const bool a_signed = a_type == ValueType::s32;
      const bool b_signed = b_type == ValueType::s32;
      check({instruction_of(Operation::dp4a, a_type, b_type), {32, 32, 32}}, [=](const Sources& x) {
        Int sum = Int{x[2]};
        for (int i = 0; i < 4; ++i) {
          sum += number(x[0] >> 8 * i, 8, a_signed) * number(x[1] >> 8 * i, 8, b_signed);
        }
        return Expected{sum};
      });
      for (const bool high : {false, true}) {
        Instruction dp2a = instruction_of(Operation::dp2a, a_type, b_type);
        dp2a.high = high;
        check({dp2a, {32, 32, 32}}, [=](const Sources& x) {
          const std::uint64_t bytes = high ? x[1] >> 16 : x[1];
          return Expected{Int{x[2]} + number(x[0], 16, a_signed) * number(bytes, 8, b_signed) +
                          number(x[0] >> 16, 16, a_signed) * number(bytes >> 8, 8, b_signed)};
        });
      }
    }
  }
}

TEST(Bits, RejectsNarrowTypes) {
  EXPECT_TRUE(is_refused({instruction_of(Operation::popc, ValueType::b16), {16}}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::bfe, ValueType::u16), {16, 32, 32}}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::szext, ValueType::s64), {64, 32}, 64}));
}

}  // namespace
}  // namespace heddle::exec::test
