#pragma once

// An independent model of floating point. It computes with integers of 4608 bits, which represent
// each number exactly, and rounds once, according to the digits that are cut off. It shares no code
// with the implementation.

#include <array>
#include <cstddef>
#include <cstdint>

#include "code/operation.h"

namespace heddle::exec::test {

__extension__ using Wide = unsigned __int128;

/// A floating-point format: sign, exponent and fraction. The values below are bits of the format.
struct Format {
  int width;
  int fraction_bits;
  int bias;
  std::uint64_t largest;   ///< The magnitude of the largest finite value.
  std::uint64_t overflow;  ///< The result of values that are too large; mostly infinity.
  std::uint64_t infinity;  ///< 0 for a format without infinity.
  std::uint64_t nan;       ///< The canonical NaN.

  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  std::uint64_t magnitude(std::uint64_t bits) const { return bits & (sign() - 1); }
  bool is_negative(std::uint64_t bits) const { return (bits & sign()) != 0; }
  bool is_nan(std::uint64_t bits) const {
    return magnitude(bits) > (infinity != 0 ? infinity : largest);
  }
  bool is_infinite(std::uint64_t bits) const {
    return infinity != 0 && magnitude(bits) == infinity;
  }
  std::uint64_t smallest_normal() const { return std::uint64_t{1} << fraction_bits; }
  /// Replaces a subnormal with zero of the same sign; returns other values unchanged.
  std::uint64_t flush(std::uint64_t bits) const {
    return magnitude(bits) < smallest_normal() ? bits & sign() : bits;
  }
};

inline constexpr Format kF64 = {64,
                                52,
                                1023,
                                0x7fef'ffff'ffff'ffff,
                                0x7ff0'0000'0000'0000,
                                0x7ff0'0000'0000'0000,
                                0xfff8'0000'0000'0000};
inline constexpr Format kF32 = {32, 23, 127, 0x7f7f'ffff, 0x7f80'0000, 0x7f80'0000, 0x7fff'ffff};
inline constexpr Format kF16 = {16, 10, 15, 0x7bff, 0x7c00, 0x7c00, 0x7fff};
inline constexpr Format kBf16 = {16, 7, 127, 0x7f7f, 0x7f80, 0x7f80, 0x7fff};
inline constexpr Format kTf32 = {19, 10, 127, 0x3'fbff, 0x3'fc00, 0x3'fc00, 0x3'ffff};
inline constexpr Format kE4m3 = {8, 3, 7, 0x7e, 0x7e, 0, 0x7f};
inline constexpr Format kE5m2 = {8, 2, 15, 0x7b, 0x7b, 0x7c, 0x7f};

/// A finite number: a sign, and a magnitude in units of 2^-kUnit.
class ExactNumber {
 public:
  /// Must be at least 2274: the last digit of a product of two f64, written in 128 bits, is
  /// 2^-2274.
  static constexpr int kUnit = 2304;

  ExactNumber() = default;
  /// significand * 2^exponent
  ExactNumber(bool negative, Wide significand, int exponent) : negative_(negative) {
    const int position = exponent + kUnit;
    for (int part = 0; part < 4; ++part, significand >>= 32) {
      const auto digits = static_cast<std::uint64_t>(significand & 0xffff'ffff) << (position % 32);
      const auto at = static_cast<std::size_t>(position / 32 + part);
      words_.at(at) |= static_cast<std::uint32_t>(digits);
      words_.at(at + 1) |= static_cast<std::uint32_t>(digits >> 32);
    }
  }
  static ExactNumber from_bits(const Format& format, std::uint64_t bits) {
    const std::uint64_t magnitude = format.magnitude(bits);
    const auto exponent = static_cast<int>(magnitude >> format.fraction_bits);
    std::uint64_t significand = magnitude & (format.smallest_normal() - 1);
    if (exponent != 0) significand |= format.smallest_normal();
    const int scale = (exponent != 0 ? exponent : 1) - format.bias - format.fraction_bits;
    return {format.is_negative(bits), significand, scale};
  }

  bool is_zero() const { return top() < 0 && !has_more_digits_; }
  bool is_negative() const { return negative_; }
  void set_negative(bool negative) { negative_ = negative; }
  /// Sets whether there are nonzero digits beyond those stored, as after a division.
  void set_has_more_digits(bool has_more) { has_more_digits_ = has_more; }
  ExactNumber negated() const {
    ExactNumber result = *this;
    result.negative_ = !negative_;
    return result;
  }

  friend ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) {
    if (a.negative_ == b.negative_) return a.plus(b);
    return a.compare_magnitude(b) >= 0 ? a.minus(b) : b.minus(a);
  }
  /// Negative, zero or positive if this magnitude is smaller, equal or greater.
  int compare_magnitude(const ExactNumber& other) const {
    for (std::size_t i = kWords; i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
  }

  struct Cut {
    Wide kept;   ///< The magnitude in units of 2^exponent.
    bool exact;  ///< Whether only zeros were cut off.
  };
  /// Rounds the number to a multiple of 2^exponent.
  Cut cut(int exponent, code::Rounding rounding) const {
    const int position = exponent + kUnit;
    Wide kept = 0;
    for (int bit = top(); bit >= position && bit >= 0; --bit)
      kept = kept << 1 | (test(bit) ? 1 : 0);
    const bool half = position >= 1 && test(position - 1);
    const bool below = has_more_digits_ || (position >= 1 && has_digits_below(position - 1));
    bool away = false;
    switch (rounding) {
      case code::Rounding::nearest:
        away = half && (below || (kept & 1) != 0);
        break;
      case code::Rounding::nearest_away:
        away = half;
        break;
      case code::Rounding::zero:
        break;
      case code::Rounding::down:
        away = negative_ && (half || below);
        break;
      case code::Rounding::up:
        away = !negative_ && (half || below);
        break;
    }
    return {kept + (away ? 1 : 0), !half && !below};
  }

  /// Rounds to the format's digits with an unlimited exponent range, and flushes a result below the
  /// smallest normal number.
  std::uint64_t round_or_flush(const Format& format, code::Rounding rounding) const {
    const std::uint64_t sign = negative_ ? format.sign() : 0;
    if (top() < 0) return sign;
    const int exponent = top() - kUnit;
    const Wide kept = cut(exponent - format.fraction_bits, rounding).kept;
    const bool carried = kept >> (format.fraction_bits + 1) != 0;
    if (exponent + (carried ? 1 : 0) < 1 - format.bias) return sign;
    return round_to(format, rounding);
  }
  /// The bits of the number, rounded to the format.
  std::uint64_t round_to(const Format& format, code::Rounding rounding) const {
    const std::uint64_t sign = negative_ ? format.sign() : 0;
    const int smallest = 1 - format.bias;
    const int exponent = top() - kUnit > smallest ? top() - kUnit : smallest;
    const Wide kept = cut(exponent - format.fraction_bits, rounding).kept;
    const Wide magnitude = (static_cast<Wide>(exponent - smallest) << format.fraction_bits) + kept;
    if (magnitude <= format.largest) return sign | static_cast<std::uint64_t>(magnitude);
    const bool stays = rounding == code::Rounding::zero ||
                       (rounding == code::Rounding::down && !negative_) ||
                       (rounding == code::Rounding::up && negative_);
    return sign | (stays ? format.largest : format.overflow);
  }

 private:
  static constexpr std::size_t kWords = 144;

  bool test(int bit) const {
    return (words_[static_cast<std::size_t>(bit) / 32] >> (bit % 32) & 1) != 0;
  }
  bool has_digits_below(int position) const {
    const auto whole = static_cast<std::size_t>(position) / 32;
    for (std::size_t i = 0; i < whole; ++i) {
      if (words_[i] != 0) return true;
    }
    return (words_[whole] & ((1U << (position % 32)) - 1)) != 0;
  }
  /// The position of the highest bit that is set; -1 if there is none.
  int top() const {
    for (std::size_t i = kWords; i-- > 0;) {
      for (int bit = 31; words_[i] != 0 && bit >= 0; --bit) {
        if ((words_[i] >> bit & 1) != 0) return static_cast<int>(i) * 32 + bit;
      }
    }
    return -1;
  }
  ExactNumber plus(const ExactNumber& other) const {
    ExactNumber result = *this;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      result.words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return result;
  }
  ExactNumber minus(const ExactNumber& other) const {
    ExactNumber result = *this;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      borrow += std::int64_t{words_[i]} - std::int64_t{other.words_[i]};
      result.words_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    return result;
  }

  bool negative_ = false;
  bool has_more_digits_ = false;
  std::array<std::uint32_t, kWords> words_{};
};

/// The significand, normalised to 64 bits, and the exponent of a finite nonzero value.
struct Scaled {
  std::uint64_t significand;
  int exponent;

  static Scaled from_bits(const Format& format, std::uint64_t bits) {
    const std::uint64_t magnitude = format.magnitude(bits);
    const auto exponent = static_cast<int>(magnitude >> format.fraction_bits);
    Scaled result{magnitude & (format.smallest_normal() - 1),
                  (exponent != 0 ? exponent : 1) - format.bias - format.fraction_bits};
    if (exponent != 0) result.significand |= format.smallest_normal();
    while (result.significand >> 63 == 0) {
      result.significand <<= 1;
      --result.exponent;
    }
    return result;
  }
};

inline ExactNumber exact_product(const Format& format, std::uint64_t a, std::uint64_t b) {
  const bool negative = format.is_negative(a) != format.is_negative(b);
  if (format.magnitude(a) == 0 || format.magnitude(b) == 0) return {negative, 0, 0};
  Scaled x = Scaled::from_bits(format, a);
  Scaled y = Scaled::from_bits(format, b);
  return {negative, static_cast<Wide>(x.significand) * y.significand, x.exponent + y.exponent};
}

/// a / b with enough digits to be rounded.
inline ExactNumber exact_quotient(const Format& format, std::uint64_t a, std::uint64_t b) {
  const bool negative = format.is_negative(a) != format.is_negative(b);
  if (format.magnitude(a) == 0) return {negative, 0, 0};
  const Scaled x = Scaled::from_bits(format, a);
  const Scaled y = Scaled::from_bits(format, b);
  const Wide dividend = static_cast<Wide>(x.significand) << 62;
  ExactNumber result(negative, dividend / y.significand, x.exponent - y.exponent - 62);
  result.set_has_more_digits(dividend % y.significand != 0);
  return result;
}

/// The square root of a positive value with enough digits to be rounded, computed digit by digit.
inline ExactNumber exact_root(const Format& format, std::uint64_t a) {
  if (format.magnitude(a) == 0) return {false, 0, 0};
  Scaled x = Scaled::from_bits(format, a);
  Wide radicand = static_cast<Wide>(x.significand) << 62;
  int exponent = x.exponent - 62;
  if (exponent % 2 != 0) {
    radicand <<= 1;
    --exponent;
  }
  Wide root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide candidate = root | static_cast<Wide>(1) << bit;
    if (candidate * candidate <= radicand) root = candidate;
  }
  ExactNumber result(false, root, exponent / 2);
  result.set_has_more_digits(root * root != radicand);
  return result;
}

}  // namespace heddle::exec::test
