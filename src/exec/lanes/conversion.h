#pragma once

// Conversions of one value: between integers and floating-point numbers, and to integral values.
// convert.cpp and convert_general.cpp, which implement cvt, use them.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/value_type.h"
#include "code/instruction.h"
#include "exec/decoded.h"
#include "exec/lanes/floating.h"
#include "exec/lanes/small_float.h"

namespace heddle::exec::HEDDLE_LANES {

/// `value` rounded to an integral value of the same type. A zero has the sign of `value`.
template <code::IntegralRounding kRounding, class Float>
[[gnu::always_inline]] inline Float to_integral(Float value) {
  using code::IntegralRounding;
  static_assert(kRounding != IntegralRounding::none);
  // All numbers from this one on are integral. Adding it to a smaller number rounds that number.
  constexpr Float kAllIntegral = sizeof(Float) == 8 ? Float(0x1p52) : Float(0x1p23);
  const Float magnitude = absolute(value);
  const Float nearest = with_sign_of((magnitude + kAllIntegral) - kAllIntegral, value);
  Float result = nearest;
  if constexpr (kRounding == IntegralRounding::zero) {
    result = absolute(nearest) > magnitude ? absolute(nearest) - 1 : absolute(nearest);
  } else if constexpr (kRounding == IntegralRounding::down) {
    result = nearest > value ? nearest - 1 : nearest;
  } else if constexpr (kRounding == IntegralRounding::up) {
    result = nearest < value ? nearest + 1 : nearest;
  }
  return magnitude < kAllIntegral ? with_sign_of(absolute(result), value) : value;
}

/// Truncates a value, which must be in the range of Integer.
template <class Integer, class Float>
[[gnu::always_inline]] inline Integer truncate(Float value) {
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) >= 4) {
    // Converts through the signed type, which more vector units support.
    using Signed = std::make_signed_t<Integer>;
    constexpr Float kHalf = sizeof(Integer) == 8 ? Float(0x1p63) : Float(0x1p31);
    const bool upper = value >= kHalf;
    const auto low = static_cast<Integer>(static_cast<Signed>(value - (upper ? kHalf : 0)));
    return low ^ (upper ? Integer{1} << (sizeof(Integer) * 8 - 1) : Integer{0});
  } else {
    return static_cast<Integer>(value);
  }
}

/// `value` truncated, and saturated to the range of Integer; `nan_result` if `value` is NaN.
template <class Integer, class Float>
[[gnu::always_inline]] inline Integer to_integer(Float value, Integer nan_result) {
  using Limits = std::numeric_limits<Integer>;
  constexpr Float kBottom = static_cast<Float>(Limits::min());
  constexpr Float kTop = Float{2} * static_cast<Float>(Integer{1} << (Limits::digits - 1));
  const Float from_bottom = value > kBottom ? value : kBottom;  // NaN becomes kBottom
  const bool above = from_bottom >= kTop;
  const auto inside = truncate<Integer>(above ? Float{0} : from_bottom);
  const Integer limited = above ? Limits::max() : inside;
  return is_nan(value) ? nan_result : limited;
}

/// The integer result for NaN, as PTX specifies: 0, or only the highest bit set if the source is
/// f64 or the integer has 64 bits.
template <class Integer>
constexpr Integer nan_to_integer(bool from_double) {
  constexpr auto kHighest = static_cast<Integer>(std::uint64_t{1} << (sizeof(Integer) * 8 - 1));
  return from_double || sizeof(Integer) == 8 ? kHighest : Integer{0};
}

/// The integer as a double, rounded to odd (to_odd() in floating.h).
template <class Integer>
[[gnu::always_inline]] inline double to_odd_double(Integer value) {
  if constexpr (sizeof(Integer) < 8) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < 0;
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = negative ? 0 - bits : bits;
    const std::uint64_t sticky = (magnitude & 0x7ff) != 0 ? 0x800 : 0;
    const std::uint64_t odd = (magnitude & ~std::uint64_t{0x7ff}) | sticky;
    const auto exact = static_cast<double>(magnitude < (std::uint64_t{1} << 53) ? magnitude : odd);
    return negative ? -exact : exact;
  }
}

/// The bits of a 64-bit integer as a double, rounded as kRounding says.
template <code::Rounding kRounding, class Integer>
[[gnu::always_inline]] inline std::uint64_t to_double_bits(Integer value) {
  static_assert(sizeof(Integer) == 8);
  if constexpr (kRounding == code::Rounding::nearest) {
    return bits_of(static_cast<double>(value));
  } else {
    using Mask = std::uint64_t;
    const double high = static_cast<double>(value >> 32) * 0x1p32;
    const double low = static_cast<double>(static_cast<std::uint32_t>(value));
    const double sum = high + low;
    const double error = low - (sum - high);  // Exact, since high is 0 or larger than low.
    const Mask negative = all_if<Mask>(sum < 0);
    const Mask above = all_if<Mask>(error < 0);
    const Mask below = all_if<Mask>(error > 0);
    return redirect<kRounding>(bits_of(sum), blend(negative, below, above),
                               blend(negative, above, below), negative);
  }
}

/// The bits of a float, rounded to the 10 fraction bits of tf32.
template <code::Rounding kRounding>
[[gnu::always_inline]] inline std::uint32_t to_tf32(float value) {
  constexpr std::uint32_t kDropped = 0x1fff;
  const std::uint32_t bits = bits_of(value);
  std::uint32_t increment = 0;
  if constexpr (kRounding == code::Rounding::nearest) {
    increment = (kDropped >> 1) + (bits >> 13 & 1);
  } else if constexpr (kRounding == code::Rounding::nearest_away) {
    increment = (kDropped >> 1) + 1;
  } else {
    static_assert(kRounding == code::Rounding::zero);
  }
  // A carry out of the largest number gives infinity. An infinity itself gives no carry, because
  // its fraction is zero.
  const std::uint32_t nan_result = kRounding == code::Rounding::nearest_away ? bits : kCanonicalNan;
  return (is_nan(value) ? nan_result : bits + increment) & ~kDropped;
}

/// Calls function.operator()<T>() with the C++ type of `type`, and returns true. Returns false if
/// `type` is not an integer type.
template <class Function>
bool with_integer(ValueType type, Function function) {
  switch (type) {
    case ValueType::u8:
      function.template operator()<std::uint8_t>();
      return true;
    case ValueType::s8:
      function.template operator()<std::int8_t>();
      return true;
    case ValueType::u16:
      function.template operator()<std::uint16_t>();
      return true;
    case ValueType::s16:
      function.template operator()<std::int16_t>();
      return true;
    case ValueType::u32:
      function.template operator()<std::uint32_t>();
      return true;
    case ValueType::s32:
      function.template operator()<std::int32_t>();
      return true;
    case ValueType::u64:
      function.template operator()<std::uint64_t>();
      return true;
    case ValueType::s64:
      function.template operator()<std::int64_t>();
      return true;
    default:
      return false;
  }
}
inline bool is_integer(ValueType type) {
  return with_integer(type, []<class T>() {});
}

/// The value extended to 64 bits: sign-extended if Integer is signed, else zero-extended.
template <class Integer>
[[gnu::always_inline]] inline std::uint64_t extended(Integer value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// Returns the handler of any cvt instruction; null if PTX has no such conversion. The handler is
/// slow: it has several loops over the lanes.
Handler select_general_conversion(const code::Instruction& instruction);

}  // namespace heddle::exec::HEDDLE_LANES
