#pragma once

// Makes texts from outside (names, titles, values) safe for a terminal and short enough to read.

#include <string>
#include <string_view>

namespace heddle {

/// Replaces control characters, which a terminal would execute, with escapes such as "\x1b". Keeps
/// tabs and line ends.
std::string printable_text(std::string_view text);
/// Like printable_text(), and also replaces tabs and line ends with "\t" and "\n".
std::string printable_line(std::string_view text);

/// The text, or its first 120 bytes followed by "..." if it is longer; for quotations in messages.
std::string shortened(std::string_view text);
/// Replaces each line of more than 2000 bytes by its first 1000 and last 500 bytes.
std::string with_short_lines(std::string_view text);

}  // namespace heddle
