#include "ptx/constant.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

namespace heddle::ptx {
namespace {

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// The value of an integer's token: decimal, 0x, 0b or octal, with an optional U.
std::optional<Constant> parse_integer_text(std::string_view text) {
  const bool is_unsigned = text.back() == 'U';
  if (is_unsigned) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char prefix = static_cast<char>(text[1] | 0x20);
    base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  const std::optional<std::uint64_t> value = parse_digits(text, base);
  if (!value) return std::nullopt;
  const bool fits = *value >> 63 == 0;
  return Constant{
      fits && !is_unsigned ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer,
      *value};
}

}  // namespace

double Constant::as_double() const {
  switch (kind) {
    case Kind::signed_integer:
      return static_cast<double>(as_signed());
    case Kind::unsigned_integer:
      return static_cast<double>(bits);
    case Kind::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Kind::f64:
      return std::bit_cast<double>(bits);
  }
  return 0;
}

Constant Constant::from_double(double value) {
  return {Kind::f64, std::bit_cast<std::uint64_t>(value)};
}

std::optional<Constant> value_of_number(TokenKind kind, std::string_view text) {
  switch (kind) {
    case TokenKind::integer:
      return parse_integer_text(text);
    case TokenKind::f32_bits:
      return Constant{Constant::Kind::f32, *parse_digits(text.substr(2), 16)};
    case TokenKind::f64_bits:
      return Constant{Constant::Kind::f64, *parse_digits(text.substr(2), 16)};
    case TokenKind::floating: {
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
      return Constant::from_double(value);
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> bits_as(const Constant& constant, ValueType type) {
  const int size = size_of(type);
  const bool is_untyped = type == ValueType::b8 || type == ValueType::b16 ||
                          type == ValueType::b32 || type == ValueType::b64 ||
                          type == ValueType::b128;
  if (constant.is_integer()) {
    if (is_floating(type) && !is_packed(type)) return std::nullopt;
    return size >= 8 ? constant.bits : constant.bits & ((std::uint64_t{1} << 8 * size) - 1);
  }
  if (!is_floating(type) && !is_untyped) return std::nullopt;
  if (size == 8) {
    return constant.kind == Constant::Kind::f64
               ? constant.bits
               : std::bit_cast<std::uint64_t>(constant.as_double());
  }
  if (size != 4 || is_packed(type)) return std::nullopt;
  if (constant.kind == Constant::Kind::f32) return constant.bits;
  const double value = constant.as_double();
  // A double beyond the range of float becomes infinity. C++ leaves that conversion undefined only
  // where float has no infinity.
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

}  // namespace heddle::ptx
