#include "exec/system/device_printf.h"

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>

namespace heddle::exec {
namespace {

/// The maximum width and precision, in characters. Without a limit, a broken program could exhaust
/// the host's memory.
constexpr int kMaxWidth = 4096;

/// Formats values with the host's snprintf.
template <class... Values>
std::string format_value(const std::string& specification, Values... values) {
  const int length = std::snprintf(nullptr, 0, specification.c_str(), values...);
  if (length < 0) return {};
  std::string out(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(out.data(), out.size(), specification.c_str(), values...);
  out.pop_back();
  return out;
}

/// A parsed conversion specification, such as %-8.3f.
struct Conversion {
  std::string flags;
  int width = -1;      ///< -1: not given.
  int precision = -1;  ///< -1: not given.
  bool is_64_bit = false;
  int h_count = 0;  ///< 1 for the length modifier h, 2 for hh.
  char type = 0;    ///< The last character, such as 'f'; 0 at the end of the format.

  /// The specification without length modifiers and type.
  std::string prefix() const {
    std::string out(1, '%');
    out += flags;
    if (width >= 0) out += std::to_string(width);
    if (precision >= 0) out.append(1, '.').append(std::to_string(precision));
    return out;
  }
};

/// Parses the conversion specifications of a format, and reads their arguments.
class ConversionParser {
 public:
  ConversionParser(std::string_view format, const std::function<std::uint64_t(int)>& read_value,
                   int& conversions)
      : format_(format), read_value_(read_value), conversions_(conversions) {}

  /// Reads the next argument.
  std::uint64_t value(int bytes) {
    ++conversions_;
    return read_value_(bytes);
  }

  /// Parses the specification at index `at`, after the %. Afterwards, `at` is the index of its
  /// type.
  Conversion conversion(std::size_t& at) {
    Conversion c;
    while (at < format_.size() && std::string_view("-+ #0").find(format_[at]) != npos) {
      if (c.flags.find(format_[at]) == npos) c.flags += format_[at];
      ++at;
    }
    c.width = number(at);
    if (c.width < -1) {  // A negative argument means left-justified.
      c.width = -c.width - 1;
      c.flags += '-';
    }
    if (at < format_.size() && format_[at] == '.') {
      ++at;
      c.precision = number(at);
      if (c.precision == -1) c.precision = 0;
      if (c.precision < -1) c.precision = -1;
    }
    for (; at < format_.size() && std::string_view("hlLqjzt").find(format_[at]) != npos; ++at) {
      if (format_[at] == 'h') {
        ++c.h_count;
      } else {
        c.is_64_bit = true;
      }
    }
    c.type = at < format_.size() ? format_[at] : '\0';
    return c;
  }

 private:
  static constexpr std::size_t npos = std::string_view::npos;

  /// Parses a number, or a `*`, whose number is an argument. Returns -1 if there is neither, and
  /// -1 - n if the argument is a negative number -n.
  int number(std::size_t& at) {
    if (at < format_.size() && format_[at] == '*') {
      ++at;
      const auto argument = static_cast<std::int32_t>(value(4));
      if (argument < 0) return argument < -kMaxWidth ? -1 - kMaxWidth : argument - 1;
      return argument > kMaxWidth ? kMaxWidth : argument;
    }
    if (at >= format_.size() || format_[at] < '0' || format_[at] > '9') return -1;
    int n = 0;
    for (; at < format_.size() && format_[at] >= '0' && format_[at] <= '9'; ++at) {
      n = n * 10 + (format_[at] - '0');
      if (n > kMaxWidth) n = kMaxWidth;
    }
    return n;
  }

  std::string_view format_;
  const std::function<std::uint64_t(int)>& read_value_;
  int& conversions_;
};

}  // namespace

std::string format_device_printf(std::string_view format,
                                 const std::function<std::uint64_t(int bytes)>& read_value,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 int& conversions) {
  ConversionParser parser(format, read_value, conversions);
  std::string out;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      out += format[at];
      continue;
    }
    const std::size_t start = at++;
    Conversion c = parser.conversion(at);
    switch (c.type) {
      case '%':
        out += '%';
        break;
      case 'c':
        out += format_value(c.prefix() + "c", static_cast<int>(parser.value(4) & 0xff));
        break;
      case 'd':
      case 'i': {
        const std::uint64_t bits = parser.value(c.is_64_bit ? 8 : 4);
        long long value = c.is_64_bit ? static_cast<long long>(bits)
                                      : static_cast<long long>(static_cast<std::int32_t>(bits));
        if (c.h_count == 1) value = static_cast<std::int16_t>(bits);
        if (c.h_count == 2) value = static_cast<std::int8_t>(bits);
        out += format_value(c.prefix() + "lld", value);
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        unsigned long long value = parser.value(c.is_64_bit ? 8 : 4);
        if (!c.is_64_bit) value &= 0xffff'ffff;
        if (c.h_count == 1) value &= 0xffff;
        if (c.h_count == 2) value &= 0xff;
        out += format_value(c.prefix().append("ll").append(1, c.type), value);
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out += format_value(c.prefix().append(1, c.type), std::bit_cast<double>(parser.value(8)));
        break;
      case 'p': {
        const unsigned long long pointer = parser.value(8);
        if (pointer == 0) {
          out += format_value(c.prefix() + "s", "(nil)");
        } else {
          out += format_value(c.prefix() + "s", format_value("%#llx", pointer).c_str());
        }
        break;
      }
      case 's': {
        const std::uint64_t pointer = parser.value(8);
        const std::string text = pointer == 0 ? "(null)" : read_string(pointer);
        out += format_value(c.prefix() + "s", text.c_str());
        break;
      }
      default:
        out += format.substr(start, at - start + (c.type != '\0' ? 1 : 0));
        break;
    }
  }
  return out;
}

}  // namespace heddle::exec
