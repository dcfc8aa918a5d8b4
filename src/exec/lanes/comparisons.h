#pragma once

// How values are compared. Two values have one of four relations: less, equal, greater or, if one
// of them is NaN, unordered. A comparison is a set of relations that it accepts.

#include <cstdint>

#include "code/operation.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {

/// The relation between two values, in one lane (Truth is bool) or in all lanes (Truth is a lane
/// mask). No member is true if one of the values is NaN.
template <class Truth>
struct Relation {
  Truth less, equal, greater;
};

/// The relations, as bits of a set.
enum : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

/// The set of relations that a comparison accepts.
constexpr unsigned accepted_relations(code::Comparison comparison) {
  switch (comparison) {
    case code::Comparison::equal:
      return kEqual;
    case code::Comparison::not_equal:
      return kLess | kGreater;
    case code::Comparison::less:
      return kLess;
    case code::Comparison::less_equal:
      return kLess | kEqual;
    case code::Comparison::greater:
      return kGreater;
    case code::Comparison::greater_equal:
      return kGreater | kEqual;
    case code::Comparison::equal_unordered:
      return kEqual | kUnordered;
    case code::Comparison::not_equal_unordered:
      return kLess | kGreater | kUnordered;
    case code::Comparison::less_unordered:
      return kLess | kUnordered;
    case code::Comparison::less_equal_unordered:
      return kLess | kEqual | kUnordered;
    case code::Comparison::greater_unordered:
      return kGreater | kUnordered;
    case code::Comparison::greater_equal_unordered:
      return kGreater | kEqual | kUnordered;
    case code::Comparison::ordered:
      return kLess | kEqual | kGreater;
    case code::Comparison::unordered:
      return kUnordered;
  }
  return 0;
}
/// As accepted_relations(), for integers, which are never unordered. If the comparison accepts two
/// relations, kUnordered is added: this changes no result, but holds() then tests fewer relations.
constexpr unsigned accepted_integer_relations(code::Comparison comparison) {
  const unsigned accept = accepted_relations(comparison);
  return __builtin_popcount(accept) == 2 ? accept | kUnordered : accept;
}

[[gnu::always_inline]] inline bool complement(bool truth) { return !truth; }
[[gnu::always_inline]] inline std::uint32_t complement(std::uint32_t mask) { return ~mask; }

/// Whether a comparison that accepts the relations `accept` holds. If kUnordered is accepted, tests
/// the relations that are not accepted instead.
template <class Truth>
[[gnu::always_inline]] inline Truth holds(unsigned accept, Relation<Truth> relation) {
  const bool by_complement = (accept & kUnordered) != 0;
  const unsigned relations = by_complement ? ~accept : accept;
  const Truth any = ((relations & kLess) != 0 ? relation.less : Truth{}) |
                    ((relations & kEqual) != 0 ? relation.equal : Truth{}) |
                    ((relations & kGreater) != 0 ? relation.greater : Truth{});
  return by_complement ? complement(any) : any;
}

// The operand formats. Each has the type of a lane's value, and a function that compares two
// values.

template <class T>
struct Integer {
  using Value = T;
  static constexpr bool kInteger = true;
  [[gnu::always_inline]] static Relation<bool> relate(T a, T b) { return {a<b, a == b, a> b}; }
};

/// 64-bit integers. High is std::uint32_t for unsigned integers, and std::int32_t for signed ones.
template <class High>
struct Long {
  using Value = Pair;
  static constexpr bool kInteger = true;
  [[gnu::always_inline]] static Relation<bool> relate(Pair a, Pair b) {
    const High a_high = static_cast<High>(a.high);
    const High b_high = static_cast<High>(b.high);
    const bool tie = a_high == b_high;
    return {bool((a_high < b_high) | (tie & (a.low < b.low))), bool(tie & (a.low == b.low)),
            bool((a_high > b_high) | (tie & (a.low > b.low)))};
  }
};

/// f32. kFlush: whether subnormal operands count as zero.
template <bool kFlush>
struct Single {
  using Value = float;
  static constexpr bool kInteger = false;
  [[gnu::always_inline]] static Relation<bool> relate(float a, float b) {
    if constexpr (kFlush) {
      a = flushed(a);
      b = flushed(b);
    }
    return {a<b, a == b, a> b};
  }
  [[gnu::always_inline]] static float flushed(float a) {
    return __builtin_fabsf(a) < 0x1p-126F ? 0 : a;
  }
};

struct Double {
  using Value = double;
  static constexpr bool kInteger = false;
  [[gnu::always_inline]] static Relation<bool> relate(double a, double b) {
    return {a<b, a == b, a> b};
  }
};

/// f16 and bf16. kInfinity, the bits of infinity, distinguishes them. kShift, 0 or 16, selects the
/// half of a packed value. Values have a sign and a magnitude; after conversion to two's
/// complement, they compare as integers.
template <std::uint32_t kInfinity, bool kFlush, int kShift>
struct Half {
  using Value = std::uint32_t;
  static constexpr bool kInteger = false;
  [[gnu::always_inline]] static std::int32_t magnitude(std::uint32_t word) {
    const std::uint32_t bits = word >> kShift & 0x7fff;
    const std::uint32_t mask = kFlush && (bits & kInfinity) == 0 ? 0 : kAllLanes;
    return static_cast<std::int32_t>(bits & mask);
  }
  [[gnu::always_inline]] static std::int32_t signed_magnitude(std::uint32_t word) {
    const std::int32_t sign = static_cast<std::int32_t>(word << (16 - kShift)) >> 31;
    return (magnitude(word) ^ sign) - sign;
  }
  [[gnu::always_inline]] static Relation<bool> relate(std::uint32_t a, std::uint32_t b) {
    constexpr std::int32_t kMaxNumber = kInfinity;
    const std::int32_t x = signed_magnitude(a);
    const std::int32_t y = signed_magnitude(b);
    const std::int32_t largest = magnitude(a) > magnitude(b) ? magnitude(a) : magnitude(b);
    const bool are_numbers = largest <= kMaxNumber;
    return {bool(are_numbers & (x < y)), bool(are_numbers & (x == y)), bool(are_numbers & (x > y))};
  }
};
template <bool kFlush, int kShift>
using F16 = Half<0x7c00, kFlush, kShift>;
template <int kShift>
using Bf16 = Half<0x7f80, false, kShift>;

}  // namespace heddle::exec::HEDDLE_LANES
