#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/value_type.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

/// The value of a constant expression. As PTX specifies, expressions are evaluated in 64-bit
/// integers and doubles.
struct Constant {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, f32, f64 };
  Kind kind = Kind::signed_integer;
  std::uint64_t bits = 0;  ///< The integer, or the floating-point number's bit pattern.

  bool is_integer() const { return kind <= Kind::unsigned_integer; }
  std::int64_t as_signed() const { return static_cast<std::int64_t>(bits); }
  double as_double() const;
  static Constant from_double(double value);
};

/// The value of a number's token; empty if it does not fit into 64 bits.
std::optional<Constant> value_of_number(TokenKind kind, std::string_view text);

/// The bits of a constant as an element of a variable of this type. Integers are truncated to the
/// type's size, and f64 values are rounded to it. Empty if the constant is an integer and the type
/// is floating point, or the reverse, or if the type's size has no floating-point format.
std::optional<std::uint64_t> bits_as(const Constant& constant, ValueType type);

}  // namespace heddle::ptx
