#include "base/half.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

std::uint16_t half_from(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  const auto with_sign = [&](std::uint32_t bits) {
    return static_cast<std::uint16_t>(sign | bits);
  };
  if (std::isnan(value)) return with_sign(0x7fff);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return with_sign(0x7c00);  // Halfway to the first that is too large.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // The weight of the last bit: 10 bits below the first, and never below the subnormals'.
  const int last = std::max(exponent - 11, -24);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -last)));
  // Units of 2^last; those from 1024 on carry into the exponent by themselves.
  return with_sign(units + (last > -24 ? static_cast<std::uint32_t>(last + 24) << 10 : 0));
}

double half_value(std::uint16_t bits) {
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

}  // namespace heddle
