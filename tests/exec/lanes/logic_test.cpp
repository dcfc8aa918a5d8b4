// Logic, shifts and byte permutations, compared with bit-wise and byte-wise models.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Boolean;
using code::Instruction;
using code::Operation;
using code::PermuteMode;

bool bit(std::uint64_t word, int position) { return (word >> position & 1) != 0; }

/// The word whose bit i is f(i).
Int by_bit(int bits, const std::function<bool(int)>& f) {
  std::uint64_t result = 0;
  for (int i = 0; i < bits; ++i) result |= std::uint64_t{f(i)} << i;
  return Int{result};
}

TEST(Logic, BitwiseOperationsMatchModel) {
  for (const ValueType type : {ValueType::b16, ValueType::b32, ValueType::b64}) {
    const int n = bits_of(type);
    const auto binary = [=](Operation operation, const std::function<bool(bool, bool)>& f) {
      check({instruction_of(operation, type), {n, n}, n}, [=](const Sources& x) {
        return Expected{by_bit(n, [&](int i) { return f(bit(x[0], i), bit(x[1], i)); })};
      });
    };
    binary(Operation::and_, [](bool a, bool b) { return a && b; });
    binary(Operation::or_, [](bool a, bool b) { return a || b; });
    binary(Operation::xor_, [](bool a, bool b) { return a != b; });
    check({instruction_of(Operation::not_, type), {n}, n}, [=](const Sources& x) {
      return Expected{by_bit(n, [&](int i) { return !bit(x[0], i); })};
    });
    check({instruction_of(Operation::cnot, type), {n}, n},
          [](const Sources& x) { return Expected{x[0] == 0 ? 1 : 0}; });
  }
}

TEST(Logic, ShiftsBeyondWidthGiveZeroOrSign) {
  for (const ValueType type : {ValueType::b16, ValueType::b32, ValueType::b64}) {
    const int n = bits_of(type);
    check({instruction_of(Operation::shl, type), {n, 32}, n}, [=](const Sources& x) {
      return Expected{by_bit(
          n, [&](int i) { return Int{x[1]} <= i && bit(x[0], i - static_cast<int>(x[1])); })};
    });
  }
  for (const ValueType type : kIntegers) {
    const int n = bits_of(type);
    check({instruction_of(Operation::shr, type), {n, 32}, n}, [=](const Sources& x) {
      return Expected{by_bit(n, [&](int i) {
        const Int from = Int{i} + Int{x[1]};
        if (from < n) return bit(x[0], static_cast<int>(from));
        return is_signed_integer(type) && bit(x[0], n - 1);
      })};
    });
  }
}

TEST(Logic, FunnelShiftsUseBothWords) {
  for (const bool wrap : {false, true}) {
    const auto distance = [=](std::uint64_t by) {
      return static_cast<int>(wrap ? by % 32 : std::min<std::uint64_t>(by, 32));
    };
    const auto both = [](const Sources& x, int i) {
      return i < 32 ? bit(x[0], i) : bit(x[1], i - 32);
    };
    Instruction left_shift = instruction_of(Operation::shf_l, ValueType::b32);
    left_shift.wrap = wrap;
    check({left_shift, {32, 32, 32}}, [=](const Sources& x) {
      return Expected{by_bit(32, [&](int i) { return both(x, i + 32 - distance(x[2])); })};
    });
    Instruction right_shift = instruction_of(Operation::shf_r, ValueType::b32);
    right_shift.wrap = wrap;
    check({right_shift, {32, 32, 32}}, [=](const Sources& x) {
      return Expected{by_bit(32, [&](int i) { return both(x, i + distance(x[2])); })};
    });
  }
}

std::uint64_t byte_of(const Sources& x, std::uint64_t index) {
  return (index < 4 ? x[0] >> 8 * index : x[1] >> 8 * (index - 4)) & 0xff;
}

TEST(Logic, PrmtSelectsBytesOrSigns) {
  check({instruction_of(Operation::prmt, ValueType::b32), {32, 32, 32}}, [](const Sources& x) {
    std::uint64_t result = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t choice = x[2] >> 4 * i & 0xf;
      std::uint64_t byte = byte_of(x, choice % 8);
      if (choice >= 8) byte = byte >= 0x80 ? 0xff : 0;
      result |= byte << 8 * i;
    }
    return Expected{result};
  });
}

TEST(Logic, PrmtModesMatchManual) {
  struct Row {
    PermuteMode mode;
    const char* selectors[4];  // Bytes 3, 2, 1, 0 of the result, for the values 0 to 3 of s2.
  };
  const Row table[] = {
      {PermuteMode::f4e, {"3210", "4321", "5432", "6543"}},
      {PermuteMode::b4e, {"5670", "6701", "7012", "0123"}},
      {PermuteMode::rc8, {"0000", "1111", "2222", "3333"}},
      {PermuteMode::ecl, {"3210", "3211", "3222", "3333"}},
      {PermuteMode::ecr, {"0000", "1110", "2210", "3210"}},
      {PermuteMode::rc16, {"1010", "3232", "1010", "3232"}},
  };
  for (const Row& row : table) {
    Instruction prmt = instruction_of(Operation::prmt, ValueType::b32);
    prmt.permute_mode = row.mode;
    check({prmt, {32, 32, 32}}, [&](const Sources& x) {
      std::uint64_t result = 0;
      for (int i = 0; i < 4; ++i) {
        const char digit = row.selectors[x[2] % 4][3 - i];
        result |= byte_of(x, static_cast<std::uint64_t>(digit - '0')) << 8 * i;
      }
      return Expected{result};
    });
  }
}

TEST(Logic, Lop3EvaluatesTable) {
  for (int table = 0; table < 256; ++table) {
    Instruction lop3 = instruction_of(Operation::lop3, ValueType::b32);
    lop3.table = static_cast<std::uint8_t>(table);
    const auto value = [=](const Sources& x) {
      return by_bit(32, [&](int i) {
        const int entry = (bit(x[0], i) ? 4 : 0) + (bit(x[1], i) ? 2 : 0) + (bit(x[2], i) ? 1 : 0);
        return bit(static_cast<std::uint64_t>(table), entry);
      });
    };
    if (table % 16 == 6 || table == 0xc0 || table == 0x96) {
      check({lop3, {32, 32, 32}}, [=](const Sources& x) { return Expected{value(x)}; });
    }
    for (const Boolean boolean : {Boolean::and_, Boolean::or_}) {
      if (table != 0 && table % 61 != 8 && table != 0x80) continue;
      lop3.boolean = boolean;
      check({lop3, {32, 32, 32, 1}, 32, 1}, [=](const Sources& x) {
        const bool nonzero = value(x) != 0;
        const bool other = x[3] != 0;
        return Expected{value(x), boolean == Boolean::and_ ? nonzero && other : nonzero || other};
      });
    }
    // Evaluates every table in full: the sources contain all eight combinations of three bits.
    lop3.boolean = Boolean::none;
    for (const VectorUnit& unit : vector_units()) {
      LaneHarness harness;
      for (int lane = 0; lane < 32; ++lane) {
        harness.set(0, lane, 0xf0U);
        harness.set(1, lane, 0xccU);
        harness.set(2, lane, 0xaaU);
      }
      lop3.sources = {code::Operand::reg(0), code::Operand::reg(1), code::Operand::reg(2)};
      lop3.destinations = {code::Operand::reg(3)};
      ASSERT_TRUE(harness.execute(lop3, unit));
      ASSERT_EQ(harness.word(3, 7) & 0xff, static_cast<std::uint32_t>(table));
    }
  }
}

TEST(Logic, Lop3MayHavePredicateDestinationOnly) {
  Instruction lop3 = instruction_of(Operation::lop3, ValueType::b32);
  lop3.table = 0xc0;
  lop3.boolean = Boolean::or_;
  lop3.sources = {code::Operand::reg(0), code::Operand::reg(1), code::Operand::reg(1),
                  code::Operand::predicate(1)};
  lop3.destinations = {code::Operand::none(), code::Operand::predicate(0)};
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    for (int lane = 0; lane < 32; ++lane) {
      harness.set(0, lane, lane < 8 ? 0xf0U : 0x0fU);
      harness.set(1, lane, 0xf0U);
    }
    harness.set_predicate(1, 0x80000000);
    harness.context.active = 0xfffffffe;
    ASSERT_TRUE(harness.execute(lop3, unit));
    EXPECT_EQ(harness.predicate(0), 0x800000feU);
  }
}

}  // namespace
}  // namespace heddle::exec::test
