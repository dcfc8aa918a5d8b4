#pragma once

// Messages on standard error. Writing them never throws and never ends the process, even if
// standard error is full, closed, or a pipe without a reader.

#include <string_view>

namespace heddle {

/// Writes a line that consists of "heddle: " and the message. Shortens very long lines and escapes
/// control characters.
void say(std::string_view message) noexcept;
/// Writes the text unchanged.
void write_to_standard_error(std::string_view text) noexcept;

}  // namespace heddle
