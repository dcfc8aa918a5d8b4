#pragma once

// Elementary functions for the approximate instructions, computed in double precision. Their
// results have more correct digits than a float. The functions use only additions, multiplications,
// divisions and integer operations, in a fixed order and without branches. Every host and every
// vector unit therefore gives the same bits.
//
// The functions are computed by Taylor series. In comments, "next" is the first term that is left
// out.

#include <cstdint>

#include "exec/lanes/floating.h"

namespace heddle::exec::HEDDLE_LANES {

/// A double of magnitude below 2^51 is rounded to an integer if this number is added to it. The
/// integer is then in the low bits of the sum.
inline constexpr double kRounder = 0x1.8p52;

/// Returns c0 + x * (c1 + x * (c2 + ...)) for the parameters x, c0, c1, c2, ...
[[gnu::always_inline]] inline double polynomial(double, double last) { return last; }
template <class... Rest>
[[gnu::always_inline]] inline double polynomial(double x, double first, Rest... rest) {
  return first + x * polynomial(x, rest...);
}

/// 2^x. x is clamped to the range from -1000 to 1000, since 2^x far exceeds the range of a float
/// there. The relative error is at most 2^-36.
[[gnu::always_inline]] inline double exp2_of(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  const double above = x > -1000 ? x : -1000;
  const double limited = above < 1000 ? above : 1000;
  const double rounded = limited + kRounder;
  const double y = (limited - (rounded - kRounder)) * kLn2;  // |y| <= 0.347; next: y^10 / 10!
  const double power = polynomial(y, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
                                  1.0 / 5040, 1.0 / 40320, 1.0 / 362880);
  const double result = __builtin_bit_cast(double, bits_of(power) + (bits_of(rounded) << 52));
  return is_nan(x) ? x : result;
}

/// log2(x) of a normal double; -infinity for 0, and NaN for negative x. The relative error is at
/// most 2^-36.
[[gnu::always_inline]] inline double log2_of(double x) {
  constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1;
  constexpr std::uint64_t kRootHalf = 0x3fe6'a09e'667f'3bcd;
  constexpr std::uint64_t kOne = 0x3ff0'0000'0000'0000;
  // x = m * 2^e with m from sqrt(1/2) to sqrt(2).
  const std::uint64_t shifted = bits_of(x) - kRootHalf + kOne;
  const std::uint64_t biased = shifted >> 52;
  const double m = __builtin_bit_cast(double, (shifted & 0x000f'ffff'ffff'ffff) + kRootHalf);
  const double e = __builtin_bit_cast(double, biased | bits_of(0x1p52)) - (0x1p52 + 1023);
  const double s = (m - 1) / (m + 1);  // |s| <= 0.172; next: s^14 / 15
  const double t = s * s;
  const double series = polynomial(t, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13);
  const double finite = e + kTwoOverLn2 * s * series;
  const double infinity = __builtin_inf();
  const double positive = x < infinity ? finite : x;
  const double other = x == 0 ? -infinity : __builtin_nan("");
  return x > 0 ? positive : other;
}

/// An angle as a number of quarter turns, and a remainder of at most an eighth of a turn.
struct Angle {
  std::uint64_t quarters;  ///< The number of quarter turns; only its low two bits are used.
  double remainder;        ///< In radians.
};

/// Divides the argument of a sine or cosine, which is a float, into quarter turns. A magnitude of
/// 2^29 or more counts as a whole number of turns, as if x / (2 pi) were rounded to a float.
[[gnu::always_inline]] inline Angle reduce(double x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  // The sum of these three numbers is pi / 2. The first two have 24 bits, so that their multiples
  // are exact.
  constexpr double kFirst = 0x1.921fb4p+0;
  constexpr double kSecond = 0x1.4442dp-24;
  constexpr double kThird = 0x1.8469898cc5170p-48;
  const double magnitude = absolute(x);
  const bool is_whole = magnitude >= 0x1p29;
  const bool is_infinite = magnitude == __builtin_inf();
  const double limited = is_whole ? (is_infinite ? __builtin_nan("") : 0.0) : x;
  const double rounded = limited * kTwoOverPi + kRounder;
  const double k = rounded - kRounder;
  return {bits_of(rounded), ((limited - k * kFirst) - k * kSecond) - k * kThird};
}

/// The sine of quarters * pi / 2 + remainder. The error is at most 2^-36. It is a relative error
/// for small sines, and an absolute error otherwise.
[[gnu::always_inline]] inline double sine_of(std::uint64_t quarters, double remainder) {
  // t is at most 0.617; next: remainder^13 / 13! and remainder^14 / 14!
  const double t = remainder * remainder;
  const double sine = remainder * polynomial(t, 1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
                                             -1.0 / 39916800);
  const double cosine = polynomial(t, 1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320,
                                   -1.0 / 3628800, 1.0 / 479001600);
  const std::uint64_t bits = blend(0 - (quarters & 1), bits_of(cosine), bits_of(sine));
  return __builtin_bit_cast(double, bits ^ (quarters & 2) << 62);
}
[[gnu::always_inline]] inline double sin_of(double x) {
  const Angle angle = reduce(x);
  return sine_of(angle.quarters, angle.remainder);
}
[[gnu::always_inline]] inline double cos_of(double x) {
  const Angle angle = reduce(x);
  return sine_of(angle.quarters + 1, angle.remainder);
}

/// tanh(x). The relative error is at most 2^-30.
[[gnu::always_inline]] inline double tanh_of(double x) {
  constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1;
  const double magnitude = absolute(x);
  const double t = x * x;
  const double small = x * polynomial(t, 1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835,
                                      -1382.0 / 155925);  // next: 0.0036 x^12
  const double limited = magnitude < 32 ? magnitude : 32;
  const double power = exp2_of(limited * kTwoOverLn2);
  const double large = with_sign_of((power - 1) / (power + 1), x);
  const double result = magnitude < 0.2 ? small : large;
  return is_nan(x) ? x : result;
}

}  // namespace heddle::exec::HEDDLE_LANES
