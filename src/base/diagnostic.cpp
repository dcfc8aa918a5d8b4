#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// The longest part of a source line that is shown, in bytes.
constexpr std::size_t kMaxColumnsShown = 160;

/// A line by its number, without its line end; empty if the text has fewer lines.
std::string_view line_of(std::string_view text, std::uint32_t line) {
  std::size_t start = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return {};
    start = end + 1;
  }
  std::string_view found = text.substr(start, text.find('\n', start) - start);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

/// Replaces tabs with spaces, and control and non-ASCII characters with "?".
std::string printable(std::string_view line) {
  std::string out;
  for (const char c : line) {
    const bool is_plain =
        static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
    out += is_plain ? c : (c == '\t' ? ' ' : '?');
  }
  return out;
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

}  // namespace

void Diagnostics::report(Severity severity, TextLocation location, std::uint32_t length,
                         std::string message) {
  if (severity == Severity::error) ++errors_;
  if (entries_.size() >= kMaxKept) return;
  entries_.push_back({severity, location, std::max(length, 1U), std::move(message)});
}

std::string render(const Diagnostic& d, std::string_view file, std::string_view text) {
  if (d.location.line == 0)
    return fmt::format("{}: {}: {}\n", file, name_of(d.severity), d.message);
  std::string out = fmt::format("{}:{}:{}: {}: {}\n", file, d.location.line, d.location.column,
                                name_of(d.severity), d.message);
  const std::string_view line = line_of(text, d.location.line);
  const std::size_t column = d.location.column == 0 ? 0 : d.location.column - 1;
  if (line.empty() || column > line.size()) return out;
  // Shows only the part of a very long line that is around the location.
  const std::size_t start = column > kMaxColumnsShown / 2 && line.size() > kMaxColumnsShown
                                ? column - kMaxColumnsShown / 2
                                : 0;
  const std::string_view shown = line.substr(start, kMaxColumnsShown);
  const std::size_t columns_left =
      shown.size() > column - start ? shown.size() - (column - start) : 1;
  const std::size_t underlined = std::min<std::size_t>(d.length, columns_left);
  out += fmt::format("{:>5} | {}\n      | {}^{}\n", d.location.line, printable(shown),
                     std::string(column - start, ' '), std::string(underlined - 1, '~'));
  return out;
}

std::string render(const Diagnostics& diagnostics, std::string_view file, std::string_view text) {
  std::string out;
  std::size_t errors_shown = 0;
  for (const Diagnostic& d : diagnostics.entries()) {
    out += render(d, file, text);
    if (d.severity == Severity::error) ++errors_shown;
  }
  if (errors_shown < diagnostics.error_count()) {
    out += fmt::format("{}: {} more errors\n", file, diagnostics.error_count() - errors_shown);
  }
  return out;
}

}  // namespace heddle
