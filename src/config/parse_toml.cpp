#include "config/parse_toml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace heddle::config {
namespace {

/// Rejects control characters and characters outside of ASCII: toml++ 3.3 aborts if one stands
/// where a key is expected.
void require_plain_text(std::string_view text, const std::string& file) {
  const auto rejected = std::find_if(text.begin(), text.end(), [](char c) {
    return (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7f' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  if (rejected == text.end()) return;
  const auto line = 1 + std::count(text.begin(), rejected, '\n');
  throw InputError(fmt::format("{}:{}: error: descriptions must be plain ASCII", file, line));
}

}  // namespace

std::string location_text(const std::string& file, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  require_plain_text(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(
        fmt::format("{}: error: {}", location_text(file, error.source()), error.description()));
  } catch (const TomlAssertion& error) {
    throw InputError(fmt::format("{}: error: invalid TOML ({})", file, error.what()));
  }
}

}  // namespace heddle::config
