#pragma once

// Scalar conversions of half precision and bfloat16. The conversions of whole warps are separate
// and compile to vector code (exec/lanes/small_float.h).

#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle {

/// The exact value of an IEEE binary16 number.
constexpr float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  const std::uint32_t exponent = half >> 10 & 0x1f;
  const std::uint32_t fraction = half & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f80'0000 | fraction << 13);
  // 112 is the difference of the exponent biases, 127 and 15.
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

/// Rounds to the nearest binary16, ties to even. A NaN becomes 0x7fff.
constexpr std::uint16_t half_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fff'ffff;
  if (magnitude > 0x7f80'0000) return 0x7fff;
  if (magnitude >= 0x477f'f000)
    return static_cast<std::uint16_t>(sign | 0x7c00);  // 65520 and larger values.
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent < 102)
    return static_cast<std::uint16_t>(sign);  // Below half of the least subnormal.
  // The significand, and the number of its low bits that lie below the result's last place.
  const std::uint32_t significand = (magnitude & 0x7f'ffff) | 0x80'0000;
  const std::uint32_t dropped = exponent < 113 ? 126 - exponent : 13;
  std::uint32_t result = significand >> dropped;
  const std::uint32_t rest = significand & ((std::uint32_t{1} << dropped) - 1);
  const std::uint32_t tie = std::uint32_t{1} << (dropped - 1);
  if (rest > tie || (rest == tie && (result & 1) != 0)) ++result;
  // A normal number's leading one adds to the exponent field; so does a carry.
  if (exponent >= 113) result += (exponent - 113) << 10;
  return static_cast<std::uint16_t>(sign | result);
}

/// Rounds a double directly to binary16, as if without a float in between.
inline std::uint16_t half_of_double(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value)) return half_of_float(nearest);
  // Rounds to odd: truncates, and sets the last bit if any bits are lost. Rounding to nearest twice
  // could be wrong: the first rounding can turn a value into a tie of the second one.
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
  return half_of_float(std::bit_cast<float>(bits | 1));
}

constexpr float float_of_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// Rounds to the nearest bfloat16, ties to even. A NaN becomes 0x7fff.
constexpr std::uint16_t bfloat_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fff'ffff) > 0x7f80'0000) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace heddle
