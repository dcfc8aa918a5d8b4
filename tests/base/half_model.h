#pragma once

// A reference model of half precision, computed in double precision from its definition.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle {

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

/// The nearest half, ties to even; 0x7fff for a NaN.
inline std::uint16_t nearest_half(double value) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  // Halfway between the largest finite half and the next power of two.
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  // The exponent of the last bit: 10 below that of the first, and at least that of subnormals.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int last = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -last)));
  // In units of 2^last; the leading one of a normal number (1024) adds to the exponent field.
  const std::uint32_t bits = units + (static_cast<std::uint32_t>(last + 24) << 10);
  return static_cast<std::uint16_t>(sign | bits);
}

}  // namespace heddle
