#pragma once

// What is said on standard error. Whether anybody hears it changes nothing: it never throws, and
// ends no process where standard error is full, closed, or a pipe that nobody reads.

#include <string_view>

namespace heddle {

/// A line: "heddle: " and the message, of which lines that nobody would read are cut, and which
/// does nothing to a terminal.
void say(std::string_view message) noexcept;
/// A text as it is.
void write_to_standard_error(std::string_view text) noexcept;

}  // namespace heddle
