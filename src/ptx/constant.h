#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/value_type.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

/// A constant of the text. PTX computes with 64-bit integers and with doubles.
struct Constant {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, f32, f64 };
  Kind kind = Kind::signed_integer;
  std::uint64_t bits = 0;  ///< The integer, or the pattern of the floating-point number.

  bool is_integer() const { return kind <= Kind::unsigned_integer; }
  std::int64_t as_signed() const { return static_cast<std::int64_t>(bits); }
  double as_double() const;
  static Constant of(double value);
};

/// The value of a number's token; nothing where it does not fit into 64 bits.
std::optional<Constant> value_of_number(TokenKind kind, std::string_view text);

/// The bits of a constant as an element of a type: integers are cut to the type's size, numbers of
/// f64 rounded to it. Nothing where an integer stands for a floating-point type or the reverse.
std::optional<std::uint64_t> bits_as(const Constant& constant, ValueType type);

}  // namespace heddle::ptx
