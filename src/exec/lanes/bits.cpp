// Instructions on the bits or bytes of an integer: counts of bits, searches for bits, bit fields,
// and dot products.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;

// The functions that count bits use only arithmetic on 32-bit words, which every vector unit
// supports.

[[gnu::always_inline]] inline std::uint32_t ones_in(std::uint32_t a) {
  a -= a >> 1 & 0x5555'5555;
  a = (a & 0x3333'3333) + (a >> 2 & 0x3333'3333);
  a = (a + (a >> 4)) & 0x0f0f'0f0f;
  return a * 0x0101'0101 >> 24;
}

[[gnu::always_inline]] inline std::uint32_t leading_zeros(std::uint32_t a) {
  return a == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(a));
}
[[gnu::always_inline]] inline std::uint32_t leading_zeros(Pair a) {
  const std::uint32_t high = leading_zeros(a.high);
  return high == 32 ? 32 + leading_zeros(a.low) : high;
}

[[gnu::always_inline]] inline std::uint32_t reversed(std::uint32_t a) {
  a = (a >> 1 & 0x5555'5555) | (a & 0x5555'5555) << 1;
  a = (a >> 2 & 0x3333'3333) | (a & 0x3333'3333) << 2;
  a = (a >> 4 & 0x0f0f'0f0f) | (a & 0x0f0f'0f0f) << 4;
  return a << 24 | (a & 0xff00) << 8 | (a >> 8 & 0xff00) | a >> 24;
}

/// Complements a value if it is negative. The highest zero bit of a negative value is then the
/// highest one bit. `sign_word` is the value's word with the sign.
[[gnu::always_inline]] inline std::uint32_t complement_negative(std::uint32_t a,
                                                                std::uint32_t sign_word) {
  return a ^ (0 - (sign_word >> 31));
}

/// The result of bfind for a value of Width bits with `zeros` leading zeros: the position of the
/// highest one bit or, if Amount is set, its distance from the highest bit. All ones if there is no
/// one bit.
template <bool Amount, int Width>
[[gnu::always_inline]] inline std::uint32_t bfind_result(std::uint32_t zeros) {
  return zeros == Width ? kAllLanes : Amount ? zeros : Width - 1 - zeros;
}

template <bool Amount>
Handler select_bfind(ValueType type) {
  using std::uint32_t;
  switch (type) {
    case ValueType::b32:
    case ValueType::u32:
      return lanes_handler<uint32_t, uint32_t>(
          [](uint32_t a) { return bfind_result<Amount, 32>(leading_zeros(a)); });
    case ValueType::s32:
      return lanes_handler<uint32_t, uint32_t>([](uint32_t a) {
        return bfind_result<Amount, 32>(leading_zeros(complement_negative(a, a)));
      });
    case ValueType::b64:
    case ValueType::u64:
      return lanes_handler<uint32_t, Pair>(
          [](Pair a) { return bfind_result<Amount, 64>(leading_zeros(a)); });
    case ValueType::s64:
      return lanes_handler<uint32_t, Pair>([](Pair a) {
        const Pair magnitude{complement_negative(a.low, a.high),
                             complement_negative(a.high, a.high)};
        return bfind_result<Amount, 64>(leading_zeros(magnitude));
      });
    default:
      return nullptr;
  }
}

/// Shifts by any distance. If the distance is the width or more, the result is zero or, for a
/// signed value, all sign bits.
template <class T>
[[gnu::always_inline]] inline T shifted_left(T a, std::uint32_t by) {
  return by < kBits<T> ? a << (by & (kBits<T> - 1)) : 0;
}
template <class T>
[[gnu::always_inline]] inline T shifted_right(T a, std::uint32_t by) {
  constexpr std::uint32_t kLast = kBits<T> - 1;
  if constexpr (std::is_signed_v<T>) return a >> (by < kLast ? by : kLast);
  return by <= kLast ? a >> (by & kLast) : 0;
}
template <class T>
[[gnu::always_inline]] inline T ones_below(std::uint32_t length) {
  return shifted_left<T>(1, length) - 1;
}

/// The position or length of a field, as used by bfe and bfi. In 32-bit instructions, only the low
/// 8 bits of the operand count. In 64-bit instructions all bits count, as in the instruction
/// sequences that ptxas generates for them.
[[gnu::always_inline]] inline std::uint32_t field_operand(std::uint32_t amount,
                                                          std::uint32_t bits) {
  return bits == 64 ? amount : amount & 0xff;
}

/// bfe: the field of `length` bits at `position`. A signed field is extended by its highest bit or,
/// if the field reaches beyond the value, by the value's sign.
template <class T>
[[gnu::always_inline]] inline T field(T a, std::uint32_t position, std::uint32_t length) {
  position = field_operand(position, kBits<T>);
  length = field_operand(length, kBits<T>);
  using Unsigned = std::make_unsigned_t<T>;
  const T down = shifted_right(a, position);
  if constexpr (std::is_signed_v<T>) {
    const std::uint32_t above = length < kBits<T> ? kBits<T> - length : 0;
    const T top = static_cast<T>(shifted_left(static_cast<Unsigned>(down), above));
    return length == 0 ? 0 : shifted_right(top, above);
  } else {
    return down & ones_below<T>(length);
  }
}

/// bfi: `b` with the field of `length` bits at `position` replaced by the low bits of `a`.
template <class T>
[[gnu::always_inline]] inline T with_field(T a, T b, std::uint32_t position, std::uint32_t length) {
  position = field_operand(position, kBits<T>);
  const T mask = shifted_left(ones_below<T>(field_operand(length, kBits<T>)), position);
  return (b & ~mask) | (shifted_left(a, position) & mask);
}

/// bmsk: `width` ones from `start` on.
template <bool Wrap>
[[gnu::always_inline]] inline std::uint32_t mask_at(std::uint32_t start, std::uint32_t width) {
  if constexpr (Wrap) {
    start &= 31;
    width &= 31;
  }
  return shifted_left(ones_below<std::uint32_t>(width), start);
}

/// szext: the low `width` bits, extended; 0 for a width of 0.
template <class T, bool Wrap>
[[gnu::always_inline]] inline T extended(T a, std::uint32_t width) {
  if constexpr (Wrap) width &= 31;
  return field<T>(a, 0, width < 32 ? width : 32);
}

/// fns: the position of the |offset|-th one bit in `mask`, counted upwards from bit `base` or, for
/// a negative offset, downwards. All ones if there is no such bit.
std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (base > 31) return kAllLanes;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : kAllLanes;
  const int step = offset > 0 ? 1 : -1;
  std::int64_t remaining = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1) != 0 && --remaining == 0)
      return static_cast<std::uint32_t>(position);
  }
  return kAllLanes;
}

/// dp4a and dp2a: c plus the sum of `Count` products. The factors are the first parts of a, each of
/// type A, and the parts of b, each of type B, from part number `First` on.
template <class A, class B, int Count, int First>
[[gnu::always_inline]] inline std::uint32_t dot(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (int part = 0; part < Count; ++part) {
    const std::int32_t x = static_cast<A>(a >> part * kBits<A>);
    const std::int32_t y = static_cast<B>(b >> (First + part) * kBits<B>);
    c += static_cast<std::uint32_t>(x * y);
  }
  return c;
}
template <class A, class B, int Count, int First>
Handler dot_handler() {
  return same_type<std::uint32_t, 3>([](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return dot<A, B, Count, First>(a, b, c);
  });
}
template <class Unsigned, class Signed, int Count, int First>
Handler select_dot(const Instruction& i) {
  const bool a_signed = i.type == ValueType::s32;
  const bool b_signed = i.source_type == ValueType::s32;
  if (!a_signed && i.type != ValueType::u32) return nullptr;
  if (!b_signed && i.source_type != ValueType::u32) return nullptr;
  using B = std::uint8_t;
  using SignedB = std::int8_t;
  if (a_signed) {
    return b_signed ? dot_handler<Signed, SignedB, Count, First>()
                    : dot_handler<Signed, B, Count, First>();
  }
  return b_signed ? dot_handler<Unsigned, SignedB, Count, First>()
                  : dot_handler<Unsigned, B, Count, First>();
}

bool is_32(ValueType type) { return unsigned_of(type) == ValueType::u32; }
bool is_64(ValueType type) { return unsigned_of(type) == ValueType::u64; }

/// A handler with one computation for words and one for pairs of words.
template <class Out64, class Computation, class PairComputation>
Handler word_or_pair(ValueType type, Computation compute, PairComputation compute_pair) {
  if (is_32(type)) return lanes_handler<std::uint32_t, std::uint32_t>(compute);
  return is_64(type) ? lanes_handler<Out64, Pair>(compute_pair) : nullptr;
}

}  // namespace

Handler select_bits(const Instruction& i) {
  using std::int32_t;
  using std::uint32_t;
  switch (i.operation) {
    case Operation::popc:
      return word_or_pair<uint32_t>(
          i.type, [](uint32_t a) { return ones_in(a); },
          [](Pair a) { return ones_in(a.low) + ones_in(a.high); });
    case Operation::clz:
      return word_or_pair<uint32_t>(
          i.type, [](uint32_t a) { return leading_zeros(a); },
          [](Pair a) { return leading_zeros(a); });
    case Operation::brev:
      return word_or_pair<Pair>(
          i.type, [](uint32_t a) { return reversed(a); },
          [](Pair a) {
            return Pair{reversed(a.high), reversed(a.low)};
          });
    case Operation::bfind:
      return i.shift_amount ? select_bfind<true>(i.type) : select_bfind<false>(i.type);
    case Operation::bfe:
      return with_integer(i.type, []<class T>() -> Handler {
        if constexpr (sizeof(T) < 4) return nullptr;
        return lanes_handler<T, T, uint32_t, uint32_t>(
            [](T a, uint32_t position, uint32_t length) { return field(a, position, length); });
      });
    case Operation::bfi:
      return with_unsigned(i.type, []<class T>() -> Handler {
        if constexpr (sizeof(T) < 4) return nullptr;
        return lanes_handler<T, T, T, uint32_t, uint32_t>(
            [](T a, T b, uint32_t position, uint32_t length) {
              return with_field(a, b, position, length);
            });
      });
    case Operation::bmsk:
      if (!is_32(i.type)) return nullptr;
      if (i.wrap)
        return same_type<uint32_t, 2>([](uint32_t a, uint32_t b) { return mask_at<true>(a, b); });
      return same_type<uint32_t, 2>([](uint32_t a, uint32_t b) { return mask_at<false>(a, b); });
    case Operation::szext:
      return with_integer(i.type, [=]<class T>() -> Handler {
        if constexpr (sizeof(T) != 4) return nullptr;
        if (i.wrap)
          return lanes_handler<T, T, uint32_t>(
              [](T a, uint32_t b) { return extended<T, true>(a, b); });
        return lanes_handler<T, T, uint32_t>(
            [](T a, uint32_t b) { return extended<T, false>(a, b); });
      });
    case Operation::fns:
      return lanes_handler<uint32_t, uint32_t, uint32_t, int32_t>(
          [](uint32_t mask, uint32_t base, int32_t offset) {
            return find_nth_set(mask, base, offset);
          });
    case Operation::dp4a:
      return select_dot<std::uint8_t, std::int8_t, 4, 0>(i);
    case Operation::dp2a:
      return i.high ? select_dot<std::uint16_t, std::int16_t, 2, 2>(i)
                    : select_dot<std::uint16_t, std::int16_t, 2, 0>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
