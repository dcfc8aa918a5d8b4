#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

/// The length in bytes (UTF-8) of the control character at the start of `text`; 0 if `text` starts
/// with another character.
std::size_t control_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  // The C1 controls, U+0080 to U+009F; U+009B is equivalent to "\x1b[".
  const bool second_set = byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0;
  return second_set ? 2 : 0;
}

std::string escaped(std::string_view text, bool keep_tabs_and_line_ends) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t bytes = control_bytes(text.substr(i));
    if (bytes == 0 || (keep_tabs_and_line_ends && (c == '\n' || c == '\t'))) {
      out += c;
      ++i;
      continue;
    }
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + bytes - 1]));
    }
    i += bytes;
  }
  return out;
}

/// The first `max_bytes` bytes of a longer text, or a few less, so that no UTF-8 character is
/// split.
std::string_view first_bytes(std::string_view text, std::size_t max_bytes) {
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xc0) == 0x80) --max_bytes;
  return text.substr(0, max_bytes);
}

/// The last `max_bytes` bytes of a longer text, or a few less.
std::string_view last_bytes(std::string_view text, std::size_t max_bytes) {
  std::size_t from = text.size() - max_bytes;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) ++from;
  return text.substr(from);
}

}  // namespace

std::string printable_text(std::string_view text) { return escaped(text, true); }

std::string printable_line(std::string_view text) { return escaped(text, false); }

std::string shortened(std::string_view text) {
  constexpr std::size_t kMaxBytes = 120;
  if (text.size() <= kMaxBytes) return std::string(text);
  return fmt::format("{}...", first_bytes(text, kMaxBytes));
}

std::string with_short_lines(std::string_view text) {
  constexpr std::size_t kMaxLineBytes = 2000;
  constexpr std::size_t kBytesAtStart = 1000;
  constexpr std::size_t kBytesAtEnd = 500;
  std::string out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (line.size() <= kMaxLineBytes) {
      out += line;
    } else {
      out +=
          fmt::format("{} ... {}", first_bytes(line, kBytesAtStart), last_bytes(line, kBytesAtEnd));
    }
    if (end < text.size()) out += '\n';
    start = end + 1;
  }
  return out;
}

}  // namespace heddle
