#pragma once

// The floating-point formats that are narrower than f32. A code is the bit pattern of a value in
// such a format. The functions convert codes to floats, and round floats to codes. They have no
// branches, so that loops over lanes are vectorised.

#include <cstdint>

#include "code/instruction.h"
#include "exec/lanes/floating.h"

namespace heddle::exec::HEDDLE_LANES {

/// The parameters of a format. Each narrow format adds the codes of infinity (kInfinity; 0 if it
/// has none, as e4m3), of its largest number, of its NaN, and the result for values that are too
/// large (kOverflow).
template <int kMantissaBits_, int kBias_, int kWidth_>
struct Format {
  static constexpr int kMantissaBits = kMantissaBits_;
  static constexpr int kBias = kBias_;
  static constexpr std::uint32_t kSign = std::uint32_t{1} << (kWidth_ - 1);
  static constexpr std::uint32_t kMagnitude = kSign - 1;
  /// The code of the smallest normal number. Smaller magnitudes are zero or subnormal.
  static constexpr std::uint32_t kSmallestNormal = std::uint32_t{1} << kMantissaBits;
};
struct F16 : Format<10, 15, 16> {
  static constexpr std::uint32_t kInfinity = 0x7c00, kLargest = 0x7bff, kNan = 0x7fff;
  static constexpr std::uint32_t kOverflow = kInfinity;
};
struct F32 : Format<23, 127, 32> {};
struct Bf16 : Format<7, 127, 16> {
  static constexpr std::uint32_t kInfinity = 0x7f80, kLargest = 0x7f7f, kNan = 0x7fff;
  static constexpr std::uint32_t kOverflow = kInfinity;
};
// Values that are too large become the largest number: PTX converts to the 8-bit formats only with
// .satfinite.
struct E5m2 : Format<2, 15, 8> {
  static constexpr std::uint32_t kInfinity = 0x7c, kLargest = 0x7b, kNan = 0x7f;
  static constexpr std::uint32_t kOverflow = kLargest;
};
struct E4m3 : Format<3, 7, 8> {
  static constexpr std::uint32_t kInfinity = 0, kLargest = 0x7e, kNan = 0x7f;
  static constexpr std::uint32_t kOverflow = kLargest;
};

/// The value of `code`, which is exact. A NaN becomes the canonical NaN, but keeps its sign. Bits
/// above the format's width are ignored.
template <class F>
[[gnu::always_inline]] inline float widen(std::uint32_t code) {
  const std::uint32_t magnitude = code & F::kMagnitude;
  constexpr auto kRebias = static_cast<std::uint32_t>(127 - F::kBias) << 23;
  std::uint32_t bits = (magnitude << (23 - F::kMantissaBits)) + kRebias;
  if constexpr (F::kBias != 127) {
    // A subnormal number is read with the exponent of the smallest normal number. The value is then
    // too large by the smallest normal number, which is subtracted.
    constexpr std::uint32_t kNormal = kRebias + (std::uint32_t{1} << 23);
    const float raised = __builtin_bit_cast(float, bits + (std::uint32_t{1} << 23));
    const float value = raised - __builtin_bit_cast(float, kNormal);
    bits = magnitude < F::kSmallestNormal ? bits_of(value) : bits;
  }
  if constexpr (F::kInfinity != 0) bits = magnitude == F::kInfinity ? 0x7f80'0000 : bits;
  const std::uint32_t sign = (code & F::kSign) != 0 ? kSignBit<float> : 0;
  constexpr std::uint32_t kLastNumber = F::kInfinity != 0 ? F::kInfinity : F::kLargest;
  return __builtin_bit_cast(float, (magnitude > kLastNumber ? kCanonicalNan : bits) | sign);
}

/// Rounds `value` to the nearest code. NaN gives the canonical NaN.
template <class F>
[[gnu::always_inline]] inline std::uint32_t narrow_to_nearest(float value) {
  constexpr int kDropped = 23 - F::kMantissaBits;
  const std::uint32_t magnitude = bits_of(value) & 0x7fff'ffff;
  const std::uint32_t last = magnitude >> kDropped & 1;
  const std::uint32_t rounded = magnitude + ((std::uint32_t{1} << (kDropped - 1)) - 1) + last;
  std::uint32_t code =
      (rounded >> kDropped) - (static_cast<std::uint32_t>(127 - F::kBias) << F::kMantissaBits);
  if constexpr (F::kBias != 127) {
    // The last bit of kAligner has the weight of the format's last subnormal bit. Adding kAligner
    // to the magnitude therefore rounds the magnitude to that bit.
    constexpr int kWeight = 1 - F::kBias - F::kMantissaBits + 23;
    constexpr std::uint32_t kAligner = static_cast<std::uint32_t>(127 + kWeight) << 23;
    constexpr std::uint32_t kNormal = static_cast<std::uint32_t>(128 - F::kBias) << 23;
    const float sum = __builtin_bit_cast(float, magnitude) + __builtin_bit_cast(float, kAligner);
    code = magnitude < kNormal ? bits_of(sum) - kAligner : code;
  }
  code = code > F::kLargest ? F::kOverflow : code;
  const std::uint32_t sign = (bits_of(value) & kSignBit<float>) != 0 ? F::kSign : 0;
  return magnitude > 0x7f80'0000 ? F::kNan : code | sign;
}

/// Rounds `value` to a code, as kRounding says. NaN gives the canonical NaN.
template <class F, code::Rounding kRounding = code::Rounding::nearest>
[[gnu::always_inline]] inline std::uint32_t narrow(float value) {
  const std::uint32_t nearest = narrow_to_nearest<F>(value);
  return redirect<kRounding>(nearest, widen<F>(nearest), value);
}
template <class F, code::Rounding kRounding = code::Rounding::nearest>
[[gnu::always_inline]] inline std::uint32_t narrow(double value) {
  return narrow<F, kRounding>(to_odd_float(value));
}

/// The code of an f64 NaN in a narrower format: its sign and its highest fraction bits, made quiet.
/// GPUs convert f64 NaNs in this way. Conversions from other types give the canonical NaN.
template <class F>
[[gnu::always_inline]] inline std::uint32_t narrow_nan(double nan) {
  constexpr std::uint32_t kQuiet = F::kSmallestNormal >> 1;
  constexpr std::uint32_t kInfinity = F::kMagnitude & ~(F::kSmallestNormal - 1);
  const std::uint32_t payload =
      static_cast<std::uint32_t>(bits_of(nan) >> (52 - F::kMantissaBits)) &
      (F::kSmallestNormal - 1);
  return (sign_of(nan) ? F::kSign : 0) | kInfinity | kQuiet | payload;
}
/// The bits of the f64 NaN for a NaN of a narrow format.
template <class F>
[[gnu::always_inline]] inline std::uint64_t widen_nan(std::uint32_t nan) {
  const std::uint64_t sign = (nan & F::kSign) != 0 ? kSignBit<double> : 0;
  const std::uint64_t payload = nan & (F::kSmallestNormal - 1);
  return sign | 0x7ff8'0000'0000'0000 | payload << (52 - F::kMantissaBits);
}

/// Whether `value` is below the smallest normal number after it has been rounded to nearest as if
/// the exponent range had no lower bound. A value that is half a step below that number is rounded
/// up to it.
template <class F>
[[gnu::always_inline]] inline bool is_tiny(double value) {
  constexpr double kSmallestNormal =
      __builtin_bit_cast(double, static_cast<std::uint64_t>(1024 - F::kBias) << 52);
  constexpr double kHalfStep = kSmallestNormal / (std::uint64_t{4} << F::kMantissaBits);
  return absolute(value) < kSmallestNormal - kHalfStep;
}

/// Replaces the code of a subnormal number by that of zero with the same sign.
template <class F>
[[gnu::always_inline]] inline std::uint32_t flush_code(std::uint32_t code) {
  return (code & F::kMagnitude) < F::kSmallestNormal ? code & F::kSign : code;
}

}  // namespace heddle::exec::HEDDLE_LANES
