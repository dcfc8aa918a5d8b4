// Bitwise logic, shifts and permutations of bytes.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/predicates.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;
using code::PermuteMode;
using std::uint32_t;
using std::uint64_t;

/// The handler of a bitwise computation. It computes with words, and with each word of a 64-bit
/// value.
template <int Sources, class Computation>
Handler bitwise(ValueType type, Computation compute) {
  if constexpr (Sources == 1) {
    return by_width<1>(type, compute, [](Pair a) {
      return Pair{Computation{}(a.low), Computation{}(a.high)};
    });
  } else {
    return by_width<2>(type, compute, [](Pair a, Pair b) {
      return Pair{Computation{}(a.low, b.low), Computation{}(a.high, b.high)};
    });
  }
}

/// The handlers of shifts. If the distance is the width or more, the result is zero or, for a
/// signed shift to the right, all sign bits.
template <class T>
Handler shift_left() {
  return lanes_handler<T, T, uint32_t>(
      [](T a, uint32_t by) { return by < kBits<T> ? modular(a) << (by & (kBits<T> - 1)) : 0; });
}
template <class T>
Handler shift_right() {
  constexpr uint32_t kLast = kBits<T> - 1;
  if constexpr (std::is_signed_v<T>) {
    return lanes_handler<T, T, uint32_t>(
        [](T a, uint32_t by) { return a >> (by < kLast ? by : kLast); });
  }
  return lanes_handler<T, T, uint32_t>(
      [](T a, uint32_t by) { return by <= kLast ? a >> (by & kLast) : 0; });
}

/// The handler of a funnel shift: shifts a 64-bit value, whose low word is source 0 and whose high
/// word is source 1, and returns 32 bits of it.
template <bool Left, bool Wrap>
Handler funnel() {
  return same_type<uint32_t, 3>([](uint32_t low, uint32_t high, uint32_t by) {
    const uint64_t value = uint64_t{high} << 32 | low;
    const uint32_t distance = Wrap ? by & 31 : by < 32 ? by : 32;
    return static_cast<uint32_t>(Left ? value << distance >> 32 : value >> distance);
  });
}
template <bool Left>
Handler select_funnel(const Instruction& i) {
  if (unsigned_of(i.type) != ValueType::u32) return nullptr;
  return i.wrap ? funnel<Left, true>() : funnel<Left, false>();
}

/// prmt: selects four of the eight bytes of a (bytes 0 to 3) and b (bytes 4 to 7). Each byte of the
/// result is selected by four bits of `selector`. If the highest of these is set, the result is
/// eight copies of the selected byte's sign.
[[gnu::always_inline]] inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t choice = selector >> 4 * i;
    const uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (choice & 7)) & 0xff;
    const uint32_t signs = 0xff * (byte >> 7);
    result |= ((choice & 8) != 0 ? signs : byte) << 8 * i;
  }
  return result;
}

/// The selectors of a mode of prmt other than `index`. The low two bits of source 2 choose one of
/// four.
struct Selectors {
  uint32_t by_choice[4];
};
constexpr Selectors selectors_of(PermuteMode mode) {
  switch (mode) {
    case PermuteMode::index:
      break;
    case PermuteMode::f4e:
      return {0x3210, 0x4321, 0x5432, 0x6543};
    case PermuteMode::b4e:
      return {0x5670, 0x6701, 0x7012, 0x0123};
    case PermuteMode::rc8:
      return {0x0000, 0x1111, 0x2222, 0x3333};
    case PermuteMode::ecl:
      return {0x3210, 0x3211, 0x3222, 0x3333};
    case PermuteMode::ecr:
      return {0x0000, 0x1110, 0x2210, 0x3210};
    case PermuteMode::rc16:
      return {0x1010, 0x3232, 0x1010, 0x3232};
  }
  return {};
}
void permute_by_mode(WarpContext& context, const Decoded& decoded) {
  const Selectors selectors = selectors_of(context.code[decoded.index].permute_mode);
  for_lanes<uint32_t, uint32_t, uint32_t, uint32_t>(
      context, decoded, [&](uint32_t a, uint32_t b, uint32_t c) {
        return permuted(a, b, selectors.by_choice[c & 3]);
      });
}

/// The handler of lop3, which computes any of the 256 functions of three bits. The instruction has
/// the function's table of eight bits. For each value of a and b, c selects one of two bits of the
/// table. b then selects between the results for its two values, and a between the last two.
void lop3(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = context.code[decoded.index];
  const uint32_t table = instruction.table;
  const auto entry = [=](int bit) { return 0 - (table >> bit & 1); };
  const uint32_t clear[4] = {entry(0), entry(2), entry(4), entry(6)};
  const uint32_t differ[4] = {entry(0) ^ entry(1), entry(2) ^ entry(3), entry(4) ^ entry(5),
                              entry(6) ^ entry(7)};
  const SourceRegisters<3> sources(context, decoded);
  alignas(64) uint32_t nonzero[32];
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t a = sources.registers[0][lane];
    const uint32_t b = sources.registers[1][lane];
    const uint32_t c = sources.registers[2][lane];
    const auto by_c = [&](int i) { return clear[i] ^ (c & differ[i]); };
    const auto choose_bits = [](uint32_t selector, uint32_t zero, uint32_t one) {
      return zero ^ (selector & (zero ^ one));
    };
    const uint32_t result =
        choose_bits(a, choose_bits(b, by_c(0), by_c(1)), choose_bits(b, by_c(2), by_c(3)));
    nonzero[lane] = result != 0 ? kAllLanes : 0;
    return result;
  });
  if (!decoded.predicate_destination[0].present()) return;
  const uint32_t other = context.predicate(decoded.predicate_source[0]);
  context.set_predicate(decoded.predicate_destination[0],
                        combined(instruction.boolean, mask_of(nonzero), other));
}

}  // namespace

Handler select_logic(const Instruction& i) {
  switch (i.operation) {
    case Operation::and_:
      return bitwise<2>(i.type, [](uint32_t a, uint32_t b) { return a & b; });
    case Operation::or_:
      return bitwise<2>(i.type, [](uint32_t a, uint32_t b) { return a | b; });
    case Operation::xor_:
      return bitwise<2>(i.type, [](uint32_t a, uint32_t b) { return a ^ b; });
    case Operation::not_:
      return bitwise<1>(i.type, [](uint32_t a) { return ~a; });
    case Operation::cnot:
      return with_unsigned(
          i.type, []<class T>() { return same_type<T, 1>([](T a) { return a == 0 ? 1 : 0; }); });
    case Operation::shl:
      return with_unsigned(i.type, []<class T>() { return shift_left<T>(); });
    case Operation::shr:
      return with_integer(i.type, []<class T>() { return shift_right<T>(); });
    case Operation::shf_l:
      return select_funnel<true>(i);
    case Operation::shf_r:
      return select_funnel<false>(i);
    case Operation::prmt:
      if (i.permute_mode != PermuteMode::index) return permute_by_mode;
      return same_type<uint32_t, 3>(
          [](uint32_t a, uint32_t b, uint32_t c) { return permuted(a, b, c); });
    case Operation::lop3:
      return unsigned_of(i.type) == ValueType::u32 ? lop3 : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
