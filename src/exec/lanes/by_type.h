#pragma once

// These functions return the handler for an instruction's type. They are given a computation: the
// function that an instruction computes for one lane (lanes.h). Here, it is a template that accepts
// any integer type.

#include <cstdint>

#include "base/value_type.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {

/// The number of bits of a T.
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8;

/// The integer type of twice T's width, for products and for sums that must not wrap.
template <class T>
struct WiderType;
template <>
struct WiderType<std::uint8_t> {
  using type = std::uint16_t;
};
template <>
struct WiderType<std::int8_t> {
  using type = std::int16_t;
};
template <>
struct WiderType<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct WiderType<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct WiderType<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct WiderType<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct WiderType<std::uint64_t> {
  __extension__ using type = unsigned __int128;
};
template <>
struct WiderType<std::int64_t> {
  __extension__ using type = __int128;
};
template <class T>
using Wider = typename WiderType<T>::type;

/// The value as an unsigned integer of 32 or 64 bits. Sums and products of the result wrap around.
/// In C++, those of signed or narrow types would be undefined on overflow.
template <class T>
[[gnu::always_inline]] inline auto modular(T value) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::uint32_t>(value);
  }
}

/// Saturates to the range of s32.
[[gnu::always_inline]] inline std::int32_t saturated(std::int64_t value) {
  const std::int64_t limited = value > INT32_MAX ? INT32_MAX : value;
  return static_cast<std::int32_t>(limited < INT32_MIN ? INT32_MIN : limited);
}

/// A handler whose sources and destination all have type T.
template <class T, int Sources, class Computation>
Handler same_type(Computation compute) {
  static_assert(Sources >= 1 && Sources <= 4);
  if constexpr (Sources == 1) {
    return lanes_handler<T, T>(compute);
  } else if constexpr (Sources == 2) {
    return lanes_handler<T, T, T>(compute);
  } else if constexpr (Sources == 3) {
    return lanes_handler<T, T, T, T>(compute);
  } else {
    return lanes_handler<T, T, T, T, T>(compute);
  }
}

/// Returns use.template operator()<T>(), where T is the C++ integer type of `type`. The types b16,
/// b32 and b64 count as unsigned. Returns null if `type` is not an integer of 16, 32 or 64 bits.
template <class Use>
Handler with_integer(ValueType type, Use use) {
  switch (type) {
    case ValueType::b16:
    case ValueType::u16:
      return use.template operator()<std::uint16_t>();
    case ValueType::s16:
      return use.template operator()<std::int16_t>();
    case ValueType::b32:
    case ValueType::u32:
      return use.template operator()<std::uint32_t>();
    case ValueType::s32:
      return use.template operator()<std::int32_t>();
    case ValueType::b64:
    case ValueType::u64:
      return use.template operator()<std::uint64_t>();
    case ValueType::s64:
      return use.template operator()<std::int64_t>();
    default:
      return nullptr;
  }
}

/// The unsigned integer type of the same width. Returns `type` itself if it is not an integer of
/// 16, 32 or 64 bits.
constexpr ValueType unsigned_of(ValueType type) {
  switch (type) {
    case ValueType::b16:
    case ValueType::s16:
      return ValueType::u16;
    case ValueType::b32:
    case ValueType::s32:
      return ValueType::u32;
    case ValueType::b64:
    case ValueType::s64:
      return ValueType::u64;
    default:
      return type;
  }
}

/// As with_integer(), for computations that do not depend on the sign. They are compiled for
/// unsigned types only.
template <class Use>
Handler with_unsigned(ValueType type, Use use) {
  switch (unsigned_of(type)) {
    case ValueType::u16:
      return use.template operator()<std::uint16_t>();
    case ValueType::u32:
      return use.template operator()<std::uint32_t>();
    case ValueType::u64:
      return use.template operator()<std::uint64_t>();
    default:
      return nullptr;
  }
}

/// The handler of a computation whose sources and destination have the integer type `type`.
template <int Sources, class Computation>
Handler by_type(ValueType type, Computation compute) {
  return with_integer(type, [=]<class T>() { return same_type<T, Sources>(compute); });
}

/// The handler of a computation in which the low bits of the result depend only on the low bits of
/// the sources, not on their sign. 16-bit instructions share the handler of 32-bit instructions.
template <int Sources, class Computation>
Handler by_width(ValueType type, Computation compute) {
  switch (unsigned_of(type)) {
    case ValueType::u16:
    case ValueType::u32:
      return same_type<std::uint32_t, Sources>(compute);
    case ValueType::u64:
      return same_type<std::uint64_t, Sources>(compute);
    default:
      return nullptr;
  }
}

/// As above, with a separate computation for 64-bit values as pairs of words (Pair in lanes.h).
template <int Sources, class Computation, class PairComputation>
Handler by_width(ValueType type, Computation compute, PairComputation compute_pair) {
  switch (unsigned_of(type)) {
    case ValueType::u16:
    case ValueType::u32:
      return same_type<std::uint32_t, Sources>(compute);
    case ValueType::u64:
      return same_type<Pair, Sources>(compute_pair);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
