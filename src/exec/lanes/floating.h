#pragma once

// The rules that all floating-point instructions share: NaNs, subnormals, saturation, the fused
// multiply-add, and directed rounding.
//
// The bits of NaN results are specified, so that every host gives the same results:
//  - An f32, f16 or bf16 NaN is the canonical NaN (0x7fffffff for f32, 0x7fff for f16 and bf16).
//  - An f64 NaN is the first NaN among the operands, made quiet. As on GPUs, the operands are
//    searched in the order b, c, a. For a quotient, which GPUs compute in a subroutine, the order
//    is a, b. If no operand is a NaN, the result is 0xfff8000000000000.
// A flushed subnormal keeps its sign. A result is flushed if, rounded as if the exponent range had
// no lower bound, it is below the smallest normal number. Subnormals have coarser steps, to which
// it is not rounded for this decision.

#include <cfenv>
#include <cstdint>
#include <type_traits>

#include "code/instruction.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {

inline constexpr std::uint32_t kCanonicalNan = 0x7fffffff;
inline constexpr std::uint64_t kGeneratedNan = 0xfff8'0000'0000'0000;
inline constexpr std::uint64_t kQuietBit = 0x0008'0000'0000'0000;

template <class Float>
using BitsOf = std::conditional_t<sizeof(Float) == 8, std::uint64_t, std::uint32_t>;
template <class Float>
inline constexpr BitsOf<Float> kSignBit = BitsOf<Float>{1} << (sizeof(Float) * 8 - 1);

template <class Float>
[[gnu::always_inline]] inline BitsOf<Float> bits_of(Float value) {
  return __builtin_bit_cast(BitsOf<Float>, value);
}
/// A condition as a mask of ones or zeros. Compilers vectorise combinations of such masks more
/// reliably than combinations of bools.
template <class Bits>
[[gnu::always_inline]] inline Bits all_if(bool condition) {
  return condition ? ~Bits{0} : Bits{0};
}
/// The bits of `a` where `mask` has ones, and those of `b` elsewhere.
template <class Bits>
[[gnu::always_inline]] inline Bits blend(Bits mask, Bits a, Bits b) {
  return (a & mask) | (b & ~mask);
}
template <class Float>
[[gnu::always_inline]] inline bool is_nan(Float value) {
  return value != value;
}
/// Whether the sign bit is set.
template <class Float>
[[gnu::always_inline]] inline bool sign_of(Float value) {
  return (bits_of(value) & kSignBit<Float>) != 0;
}
template <class Float>
[[gnu::always_inline]] inline Float absolute(Float value) {
  return __builtin_bit_cast(Float, bits_of(value) & ~kSignBit<Float>);
}
template <class Float>
[[gnu::always_inline]] inline Float negate(Float value) {
  return __builtin_bit_cast(Float, bits_of(value) ^ kSignBit<Float>);
}
/// `magnitude`, whose sign bit must be 0, with the sign of `sign`.
template <class Float>
[[gnu::always_inline]] inline Float with_sign_of(Float magnitude, Float sign) {
  return __builtin_bit_cast(Float, bits_of(magnitude) | (bits_of(sign) & kSignBit<Float>));
}

/// `value`, or the canonical NaN if it is a NaN.
[[gnu::always_inline]] inline float canonical(float value) {
  return __builtin_bit_cast(float, is_nan(value) ? kCanonicalNan : bits_of(value));
}

/// The first NaN among the arguments, made quiet; kGeneratedNan if there is none.
[[gnu::always_inline]] inline std::uint64_t nan_of() { return kGeneratedNan; }
template <class... Double>
[[gnu::always_inline]] inline std::uint64_t nan_of(double first, Double... rest) {
  const std::uint64_t otherwise = nan_of(rest...);
  return is_nan(first) ? bits_of(first) | kQuietBit : otherwise;
}

/// The NaN that an f64 instruction returns for these operands, by the order b, c, a.
[[gnu::always_inline]] inline std::uint64_t chosen_nan(double a) { return nan_of(a); }
[[gnu::always_inline]] inline std::uint64_t chosen_nan(double a, double b) { return nan_of(b, a); }
[[gnu::always_inline]] inline std::uint64_t chosen_nan(double a, double b, double c) {
  return nan_of(b, c, a);
}

/// Replaces a subnormal number by zero of the same sign.
[[gnu::always_inline]] inline float flush(float value) {
  const std::uint32_t bits = bits_of(value);
  return __builtin_bit_cast(float, (bits & 0x7f80'0000) == 0 ? bits & 0x8000'0000 : bits);
}

/// Clamps to [0, 1]; NaN and -0 become +0.
template <class Float>
[[gnu::always_inline]] inline Float saturate(Float value) {
  const Float limited = value > 0 ? value : Float{0};
  return limited < 1 ? limited : Float{1};
}
/// Negative values and -0 become +0; NaN stays.
template <class Float>
[[gnu::always_inline]] inline Float relu(Float value) {
  return value <= 0 ? Float{0} : value;
}

/// The smaller of two values or, if kMaximum, the larger. -0 is less than +0. If one value is NaN,
/// the result is the other value or, if kNan, a NaN.
template <bool kMaximum, bool kNan, class Float>
[[gnu::always_inline]] inline Float extreme(Float a, Float b) {
  using Bits = BitsOf<Float>;
  constexpr auto kNanBits = static_cast<Bits>(sizeof(Float) == 8 ? kGeneratedNan : kCanonicalNan);
  const Bits a_nan = all_if<Bits>(is_nan(a));
  const Bits b_nan = all_if<Bits>(is_nan(b));
  const Bits beyond = all_if<Bits>(kMaximum ? a > b : a < b);
  const Bits equal = all_if<Bits>(a == b);
  const Bits lower_zero = all_if<Bits>(sign_of(kMaximum ? b : a));
  const Bits selected = blend(beyond | (equal & lower_zero) | b_nan, bits_of(a), bits_of(b));
  const Bits invalid = kNan ? a_nan | b_nan : a_nan & b_nan;
  return __builtin_bit_cast(Float, blend(invalid, kNanBits, selected));
}

/// As extreme(), for any number of values. If kXorSign, the result is the smallest or largest of
/// their magnitudes, and its sign is the exclusive or of their signs.
template <bool kMaximum, bool kNan, bool kXorSign, class Float, class... Rest>
[[gnu::always_inline]] inline Float extreme_of(Float first, Rest... rest) {
  if constexpr (kXorSign) {
    const Float result = extreme_of<kMaximum, kNan, false>(absolute(first), absolute(rest)...);
    const BitsOf<Float> sign = (bits_of(first) ^ ... ^ bits_of(rest)) & kSignBit<Float>;
    return __builtin_bit_cast(Float, bits_of(result) | (is_nan(result) ? 0 : sign));
  } else {
    Float result = first;
    ((result = extreme<kMaximum, kNan>(result, rest)), ...);
    return result;
  }
}

/// Rounds the exact value sum + error to odd, where `sum` is this value rounded to nearest.
/// Rounding to odd truncates the value and, if it is inexact, sets the last bit. If the result is
/// rounded again to fewer digits, the second result is the same as if the exact value had been
/// rounded once.
template <class Float>
[[gnu::always_inline]] inline Float to_odd(Float sum, Float error) {
  using Bits = BitsOf<Float>;
  const Bits bits = bits_of(sum);
  constexpr int kTop = sizeof(Float) * 8 - 1;
  constexpr Bits kExponent = sizeof(Float) == 8 ? 0x7ff0'0000'0000'0000 : 0x7f80'0000;
  constexpr Bits kLowestOfExponent = kExponent & (~kExponent + 1);
  // The conditions are integers with the value 0 or 1. They are computed with integer arithmetic
  // only, which every vector unit supports.
  const Bits magnitude = bits_of(error) & ~kSignBit<Float>;
  const Bits inexact = (magnitude | (0 - magnitude)) >> kTop;
  const Bits finite = ((bits & kExponent) + kLowestOfExponent) >> kTop ^ 1;
  const Bits changes = inexact & finite & ~bits;
  // If the error has the sign of the sum, the exact value is further from zero.
  const Bits further = (bits ^ bits_of(error)) >> kTop ^ 1;
  return __builtin_bit_cast(Float, bits - changes + ((changes & further) << 1));
}

/// a + b rounded to odd. The sum must not overflow, and the host's rounding mode must be to
/// nearest.
template <class Float>
[[gnu::always_inline]] inline Float sum_to_odd(Float a, Float b) {
  const Float sum = a + b;
  const Float b_part = sum - a;
  const Float error = (a - (sum - b_part)) + (b - b_part);
  return to_odd(sum, error);
}

/// `value` as a float rounded to odd.
[[gnu::always_inline]] inline float to_odd_float(double value) {
  constexpr double kLargest = 0x1.fffffep127;  // Its last bit is odd.
  const double magnitude = absolute(value);
  const double limit = magnitude == __builtin_inf() ? magnitude : kLargest;
  const double limited = with_sign_of(magnitude > limit ? limit : magnitude, value);
  const auto nearest = static_cast<float>(limited);
  const double error = limited - static_cast<double>(nearest);
  return to_odd(nearest, error > 0 ? 1.0F : error < 0 ? -1.0F : 0.0F);
}

// fused() returns a * b + c, rounded once to nearest.
#if defined(__FMA__) || defined(__aarch64__)
[[gnu::always_inline]] inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
#else
[[gnu::always_inline]] inline float fused(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);  // exact
  return static_cast<float>(sum_to_odd(product, static_cast<double>(c)));
}
#endif
[[gnu::always_inline]] inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// Changes a value that was rounded to nearest into the value rounded as kRounding says. `nearest`
/// are the bits of the value: a sign and a magnitude. The masks tell whether the value is further
/// from zero than the exact value, whether it is nearer to zero, and whether the exact value is
/// negative.
template <code::Rounding kRounding, class Bits, class Mask>
[[gnu::always_inline]] inline Bits redirect(Bits nearest, Mask too_far, Mask too_near,
                                            Mask negative) {
  using code::Rounding;
  static_assert(kRounding == Rounding::zero || kRounding == Rounding::down ||
                kRounding == Rounding::up);
  const Mask outwards = kRounding == Rounding::zero ? 0
                        : kRounding == Rounding::up ? ~negative
                                                    : negative;
  const Mask inwards_step = too_far & ~outwards & 1;
  const Mask outwards_step = too_near & outwards & 1;
  return static_cast<Bits>(nearest + outwards_step - inwards_step);
}
/// As above. `nearest` are the bits of `exact` rounded to nearest in a narrower format, and `back`
/// is the value of these bits.
template <code::Rounding kRounding, class Bits, class Wide>
[[gnu::always_inline]] inline Bits redirect(Bits nearest, Wide back, Wide exact) {
  if constexpr (kRounding == code::Rounding::nearest) {
    return nearest;
  } else {
    using Mask = BitsOf<Wide>;
    return redirect<kRounding>(nearest, all_if<Mask>(absolute(back) > absolute(exact)),
                               all_if<Mask>(absolute(back) < absolute(exact)),
                               all_if<Mask>(sign_of(exact)));
  }
}

/// Sets the host's rounding mode while it exists. Compiler barriers prevent the compiler from
/// moving loads of operands before its construction, or stores of results after its destruction.
class RoundingScope {
 public:
  explicit RoundingScope(code::Rounding rounding) {
    std::fesetround(mode_of(rounding));
    asm volatile("" ::: "memory");
  }
  ~RoundingScope() {
    asm volatile("" ::: "memory");
    std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int mode_of(code::Rounding rounding) {
    switch (rounding) {
      case code::Rounding::zero:
        return FE_TOWARDZERO;
      case code::Rounding::down:
        return FE_DOWNWARD;
      case code::Rounding::up:
        return FE_UPWARD;
      case code::Rounding::nearest:
      case code::Rounding::nearest_away:
        break;
    }
    return FE_TONEAREST;
  }
};

/// Applies `Computation` to all active lanes. `Number` is a format. Number::apply(compute,
/// operands...) converts the operands from values of type Number::Register, computes, and converts
/// the result back.
template <class Number, class Computation, std::size_t... I>
[[gnu::always_inline]] inline void run_lanes(WarpContext& context, const Decoded& decoded,
                                             std::index_sequence<I...>) {
  using Register = typename Number::Register;
  for_lanes<Register, std::enable_if_t<(I < 4), Register>...>(
      context, decoded, [](auto... operand) __attribute__((always_inline)) {
        return Number::apply(Computation{}, operand...);
      });
}

/// The handler that applies `Computation`, in the format `Number`, to kSources sources. It rounds
/// to nearest or, if kDirected, as the instruction specifies.
template <class Number, std::size_t kSources, bool kDirected = false, class Computation>
Handler number_handler(Computation) {
  return [](WarpContext& context, const Decoded& decoded) {
    if constexpr (kDirected) {
      const RoundingScope scope(context.code[decoded.index].rounding);
      run_lanes<Number, Computation>(context, decoded, std::make_index_sequence<kSources>{});
    } else {
      run_lanes<Number, Computation>(context, decoded, std::make_index_sequence<kSources>{});
    }
  };
}

}  // namespace heddle::exec::HEDDLE_LANES
