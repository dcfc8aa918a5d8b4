#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// A location in a text file. Lines and columns count from 1; line 0 means no location.
struct TextLocation {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const TextLocation&, const TextLocation&) = default;
};

enum class Severity : std::uint8_t { note, warning, error };

/// A problem at a location in a text.
struct Diagnostic {
  Severity severity = Severity::error;
  TextLocation location;
  std::uint32_t length = 1;  ///< The number of characters to underline.
  std::string message;
};

/// The problems found in one text, in the order in which they were found: the first kMaxKept
/// problems, and the number of all errors.
class Diagnostics {
 public:
  /// Later problems are not kept, since a broken file may cause thousands of errors.
  static constexpr std::size_t kMaxKept = 50;

  void report(Severity severity, TextLocation location, std::uint32_t length, std::string message);
  void error(TextLocation location, std::uint32_t length, std::string message) {
    report(Severity::error, location, length, std::move(message));
  }

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& entries() const { return entries_; }

 private:
  std::vector<Diagnostic> entries_;
  std::size_t errors_ = 0;
};

/// Formats one diagnostic as compilers do: file:line:column, message, source line and caret. `text`
/// is the content of the file.
std::string render(const Diagnostic& diagnostic, std::string_view file, std::string_view text);
/// Formats all diagnostics that were kept, and states how many more errors there were.
std::string render(const Diagnostics& diagnostics, std::string_view file, std::string_view text);

}  // namespace heddle
