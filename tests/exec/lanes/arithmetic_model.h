#pragma once

// A model of PTX's floating-point arithmetic in the exact numbers of exact_number.h.

#include <array>
#include <cstdint>

#include "code/instruction.h"
#include "exec/lanes/exact_number.h"
#include "exec/lanes/model_check.h"

namespace heddle::exec::test {

/// Computes the result of an instruction that rounds once. Operands and result have `format`.
class ArithmeticModel {
 public:
  ArithmeticModel(const code::Instruction& instruction, const Format& format)
      : instruction_(instruction), format_(format) {}

  std::uint64_t operator()(const Operands& given) const {
    Operands operands = given;
    const std::size_t count = instruction_.sources.size();
    for (std::size_t i = 0; i < count; ++i) {
      operands[i] &= format_.sign() | (format_.sign() - 1);
      if (instruction_.flush_subnormals) operands[i] = format_.flush(operands[i]);
    }
    std::uint64_t result = 0;
    bool nan = false;
    for (const std::size_t i : order_of_nans()) {
      if (nan || i >= count) continue;
      nan = format_.is_nan(operands[i]);
      result = format_.width == 64 ? operands[i] | 0x0008'0000'0000'0000 : format_.nan;
    }
    if (!nan) result = compute(operands);
    return clamp(result);
  }

 private:
  using Operation = code::Operation;

  /// The operands in the order in which an H100 returns their NaNs, the preferred one first.
  std::array<std::size_t, 3> order_of_nans() const {
    if (instruction_.operation == Operation::div) return {0, 1, 2};
    return {1, 2, 0};
  }
  /// Applies the modifiers .sat (to [0, 1], NaN to 0) and .relu (negative results to 0).
  std::uint64_t clamp(std::uint64_t result) const {
    const bool nan = format_.is_nan(result);
    const bool below = format_.is_negative(result) || format_.magnitude(result) == 0;
    const std::uint64_t one = static_cast<std::uint64_t>(format_.bias) << format_.fraction_bits;
    if (instruction_.saturate) return nan || below ? 0 : result < one ? result : one;
    if (instruction_.relu && !nan && below) return 0;
    return result;
  }
  /// The result for operands that are not NaN.
  std::uint64_t compute(const Operands& operands) const {
    const auto [a, b, c] = operands;
    const std::uint64_t one = static_cast<std::uint64_t>(format_.bias) << format_.fraction_bits;
    switch (instruction_.operation) {
      case Operation::add:
        return sum(a, b);
      case Operation::sub:
        return sum(a, b ^ format_.sign());
      case Operation::mul_lo:
        return product(a, b);
      case Operation::fma:
        return fused_multiply_add(a, b, c);
      case Operation::div:
        return quotient(a, b);
      case Operation::rcp:
        return quotient(one, a);
      case Operation::sqrt:
        return root(a);
      default:
        break;
    }
    ADD_FAILURE() << "the model does not implement " << code::name_of(instruction_.operation);
    return 0;
  }

  bool is_infinite(std::uint64_t bits) const { return format_.is_infinite(bits); }
  bool is_zero(std::uint64_t bits) const { return format_.magnitude(bits) == 0; }
  std::uint64_t sign_of(std::uint64_t bits) const { return bits & format_.sign(); }
  std::uint64_t round(const ExactNumber& number) const {
    if (!instruction_.flush_subnormals) return number.round_to(format_, instruction_.rounding);
    return number.round_or_flush(format_, instruction_.rounding);
  }
  /// A sum of numbers that are not both zero with the same sign.
  std::uint64_t round_sum(const ExactNumber& x, const ExactNumber& y) const {
    ExactNumber total = x + y;
    if (total.is_zero()) total.set_negative(instruction_.rounding == code::Rounding::down);
    return round(total);
  }

  std::uint64_t sum(std::uint64_t a, std::uint64_t b) const {
    if (is_infinite(a) && is_infinite(b) && a != b) return format_.nan;
    if (is_infinite(a)) return a;
    if (is_infinite(b)) return b;
    if (is_zero(a) && is_zero(b) && a == b) return a;
    return round_sum(ExactNumber::from_bits(format_, a), ExactNumber::from_bits(format_, b));
  }
  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b))) return format_.nan;
    const std::uint64_t sign = sign_of(a) ^ sign_of(b);
    if (is_infinite(a) || is_infinite(b)) return format_.infinity | sign;
    return round(exact_product(format_, a, b));
  }
  std::uint64_t fused_multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b))) return format_.nan;
    const std::uint64_t sign = sign_of(a) ^ sign_of(b);
    if (is_infinite(a) || is_infinite(b)) {
      return is_infinite(c) && sign_of(c) != sign ? format_.nan : format_.infinity | sign;
    }
    if (is_infinite(c)) return c;
    if ((is_zero(a) || is_zero(b)) && is_zero(c) && sign_of(c) == sign) return c;
    return round_sum(exact_product(format_, a, b), ExactNumber::from_bits(format_, c));
  }
  std::uint64_t quotient(std::uint64_t a, std::uint64_t b) const {
    if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b))) return format_.nan;
    const std::uint64_t sign = sign_of(a) ^ sign_of(b);
    if (is_infinite(a) || is_zero(b)) return format_.infinity | sign;
    if (is_infinite(b)) return sign;
    return round(exact_quotient(format_, a, b));
  }
  std::uint64_t root(std::uint64_t a) const {
    if (is_zero(a)) return a;
    if (format_.is_negative(a)) return format_.nan;
    return is_infinite(a) ? a : round(exact_root(format_, a));
  }

  const code::Instruction& instruction_;
  const Format& format_;
};

/// A model of min, max, abs, neg and copysign on the bits of one element.
class ChoiceModel {
 public:
  ChoiceModel(const code::Instruction& instruction, const Format& format)
      : instruction_(instruction), format_(format) {}

  std::uint64_t operator()(const Operands& given) const {
    using code::Operation;
    Operands operands = given;
    const std::uint64_t whole = format_.sign() | (format_.sign() - 1);
    for (std::uint64_t& operand : operands) {
      operand &= whole;
      if (instruction_.flush_subnormals) operand = format_.flush(operand);
    }
    const auto [a, b, c] = operands;
    switch (instruction_.operation) {
      case Operation::abs:
        return format_.is_nan(a) ? nan_of(a) : format_.magnitude(a);
      case Operation::neg:
        return format_.is_nan(a) ? nan_of(a) : a ^ format_.sign();
      case Operation::copysign:
        return format_.magnitude(given[1]) | (given[0] & format_.sign());
      default:
        break;
    }
    const bool maximum = instruction_.operation == Operation::max;
    if (format_.width == 64 && format_.is_nan(a) && format_.is_nan(b)) return nan_of(b);
    std::uint64_t signs = a ^ b;
    std::uint64_t result = extreme(a, b, maximum);
    if (instruction_.sources.size() == 3) {
      signs ^= c;
      result = extreme(result, c, maximum);
    }
    if (instruction_.xorsign_abs && !format_.is_nan(result)) {
      return result | (signs & format_.sign());
    }
    return result;
  }

 private:
  std::uint64_t nan_of(std::uint64_t nan) const {
    return format_.width == 64 ? nan | 0x0008'0000'0000'0000 : format_.nan;
  }
  /// A rank that orders all values; negative values descend with their magnitude.
  std::int64_t rank(std::uint64_t bits) const {
    const auto magnitude = static_cast<std::int64_t>(format_.magnitude(bits));
    return format_.is_negative(bits) ? -1 - magnitude : magnitude;
  }
  std::uint64_t extreme(std::uint64_t a, std::uint64_t b, bool maximum) const {
    if (instruction_.xorsign_abs) {
      a = format_.magnitude(a);
      b = format_.magnitude(b);
    }
    if (format_.is_nan(a) && format_.is_nan(b)) return format_.nan;
    if (instruction_.propagate_nan && (format_.is_nan(a) || format_.is_nan(b))) return format_.nan;
    if (format_.is_nan(a)) return b;
    if (format_.is_nan(b)) return a;
    return (rank(a) < rank(b)) != maximum ? a : b;
  }

  const code::Instruction& instruction_;
  const Format& format_;
};

}  // namespace heddle::exec::test
