#pragma once

// A reference model of half precision: computes in double precision, from the format's definition.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle {

/// The value of the half with these bits.
inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// The bits of the half that is nearest to `value`, with ties to even; 0x7fff for a NaN.
inline std::uint16_t nearest_half(double value) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  // 65520 is halfway between the largest finite half, 65504, and the next power of two.
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  // The exponent of the least significant bit: 10 below that of the leading bit, but at least -24,
  // which is that of subnormals. (frexp returns 1 more than the exponent of the leading bit.)
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int last_exponent = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -last_exponent)));
  // `units` counts multiples of 2^last_exponent. The leading one of a normal number (1024 units)
  // adds 1 to the exponent field.
  const std::uint32_t bits = units + (static_cast<std::uint32_t>(last_exponent + 24) << 10);
  return static_cast<std::uint16_t>(sign | bits);
}

}  // namespace heddle
