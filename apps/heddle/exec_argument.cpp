#include "exec_argument.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/half.h"

namespace heddle {
namespace {

struct ScalarType {
  const char* name;
  char kind;  ///< u, s, f, or b for hexadecimal bits
  int bits;
};

constexpr ScalarType kScalarTypes[] = {
    {"u8", 'u', 8},   {"s8", 's', 8},   {"u16", 'u', 16}, {"s16", 's', 16}, {"u32", 'u', 32},
    {"s32", 's', 32}, {"u64", 'u', 64}, {"s64", 's', 64}, {"f16", 'f', 16}, {"f32", 'f', 32},
    {"f64", 'f', 64}, {"b8", 'b', 8},   {"b16", 'b', 16}, {"b32", 'b', 32}, {"b64", 'b', 64},
};

// In the following functions, `text` is the whole value of --arg, for messages.
[[noreturn]] void reject(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("--arg {}: {}", text, why));
}

/// The number that `digits` state in this base; empty if they contain anything but digits, or if
/// the number exceeds 64 bits.
std::optional<std::uint64_t> to_unsigned(const std::string& digits, int base) {
  if (digits.empty() || digits[0] == '-' || digits[0] == '+' || std::isspace(digits[0]) != 0) {
    return std::nullopt;
  }
  errno = 0;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(digits.c_str(), &end, base);
  if (*end != '\0' || errno != 0) return std::nullopt;
  return value;
}

/// The greatest unsigned number of `bits` bits.
std::uint64_t greatest(int bits) { return ~std::uint64_t{0} >> (64 - bits); }

std::uint64_t integer_bits(const ScalarType& type, const std::string& value,
                           const std::string& text) {
  const bool negative = !value.empty() && value[0] == '-';
  const std::string digits = negative ? value.substr(1) : value;
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  const std::optional<std::uint64_t> magnitude = to_unsigned(digits, hexadecimal ? 16 : 10);
  if (!magnitude) reject(text, fmt::format("'{}' is not a whole number", value));
  std::uint64_t max = greatest(type.bits);
  if (type.kind == 's') max = max / 2 + (negative ? 1 : 0);
  if ((negative && type.kind == 'u' && *magnitude != 0) || *magnitude > max) {
    reject(text, fmt::format("{} does not fit {}", value, type.name));
  }
  return negative ? ~*magnitude + 1 : *magnitude;
}

/// Throws InputError if the parsed number is not all of `value`, or overflowed. `end` is where the
/// number ends in `value`; `infinite`: the type's rounding made it infinite.
void check_float(const ScalarType& type, const std::string& value, const std::string& text,
                 const char* end, bool infinite) {
  if (*end != '\0') reject(text, fmt::format("'{}' is not a number", value));
  // Infinity is an overflow unless the user wrote "inf".
  const bool is_intended = value.find_first_of("iI") != std::string::npos;
  if (infinite && !is_intended) reject(text, fmt::format("{} does not fit {}", value, type.name));
}

std::uint64_t float_bits(const ScalarType& type, const std::string& value,
                         const std::string& text) {
  char* end = nullptr;
  if (value.empty() || std::isspace(value[0]) != 0) reject(text, "a number is missing");
  if (type.bits == 32) {
    const float number = std::strtof(value.c_str(), &end);
    check_float(type, value, text, end, std::isinf(number));
    return std::bit_cast<std::uint32_t>(number);
  }
  const double number = std::strtod(value.c_str(), &end);
  const std::uint16_t half = half_of_double(number);
  check_float(type, value, text, end,
              std::isinf(type.bits == 64 ? number : static_cast<double>(float_of_half(half))));
  return type.bits == 64 ? std::bit_cast<std::uint64_t>(number) : half;
}

std::uint64_t scalar_bits(const ScalarType& type, const std::string& value,
                          const std::string& text) {
  if (type.kind == 'f') return float_bits(type, value, text);
  if (type.kind != 'b') return integer_bits(type, value, text);
  const std::optional<std::uint64_t> bits = to_unsigned(value, 16);
  if (!bits) reject(text, fmt::format("'{}' is not a hexadecimal number", value));
  if (*bits > greatest(type.bits)) {
    reject(text, fmt::format("{} does not fit {}", value, type.name));
  }
  return *bits;
}

ExecArgument parse_buffer(const std::string& description, const std::string& text) {
  const std::size_t colon = description.find(':');
  ExecArgument argument;
  argument.buffer = description.substr(0, colon);
  if (argument.buffer.empty()) reject(text, "the buffer needs a name");
  if (colon == std::string::npos) reject(text, "expected buf:NAME:BYTES or buf:NAME:@FILE");
  const std::string content = description.substr(colon + 1);
  if (content.starts_with('@')) {
    argument.file = content.substr(1);
    if (argument.file.empty()) reject(text, "the file's name is missing after '@'");
  } else {
    argument.bytes = parse_bytes("--arg " + text, content);
    if (argument.bytes == 0) reject(text, "a buffer needs at least one byte");
  }
  return argument;
}

}  // namespace

std::uint64_t parse_bytes(const std::string& what, const std::string& text) {
  std::string digits = text;
  int shift = 0;
  if (!digits.empty()) {
    switch (digits.back()) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
      default:
        break;
    }
    if (shift != 0) digits.pop_back();
  }
  const std::optional<std::uint64_t> value =
      to_unsigned(digits, digits.starts_with("0x") ? 16 : 10);
  if (!value || *value > (~std::uint64_t{0} >> shift)) {
    throw InputError(fmt::format(
        "{}: '{}' is not a number of bytes; write 4096, 0x1000 or 4K, for example", what, text));
  }
  return *value << shift;
}

ExecArgument parse_exec_argument(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos) reject(text, "expected TYPE:VALUE or buf:NAME:BYTES");
  const std::string value = text.substr(colon + 1);
  if (name == "buf") return parse_buffer(value, text);
  std::string known;
  for (const ScalarType& type : kScalarTypes) {
    if (name == type.name) {
      const std::uint64_t bits = scalar_bits(type, value, text);
      ExecArgument argument;
      argument.scalar.resize(static_cast<std::size_t>(type.bits) / 8);
      std::memcpy(argument.scalar.data(), &bits, argument.scalar.size());
      return argument;
    }
    known += std::string(" ") + type.name;
  }
  reject(text, fmt::format("unknown type '{}'; choose one of:{} buf", name, known));
}

ExtentText parse_extent(const std::string& what, const std::string& text) {
  ExtentText extent;
  std::uint32_t* const axes[] = {&extent.x, &extent.y, &extent.z};
  std::size_t start = 0;
  for (std::uint32_t* axis : axes) {
    const std::size_t comma = text.find(',', start);
    const std::optional<std::uint64_t> value =
        to_unsigned(text.substr(start, comma == std::string::npos ? comma : comma - start), 10);
    if (!value || *value > std::numeric_limits<std::uint32_t>::max()) break;
    *axis = static_cast<std::uint32_t>(*value);
    if (comma == std::string::npos) return extent;
    start = comma + 1;
  }
  throw InputError(fmt::format("{} {}: expected X, X,Y or X,Y,Z, whole numbers up to {}", what,
                               text, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace heddle
