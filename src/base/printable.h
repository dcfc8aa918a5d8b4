#pragma once

// Makes texts from outside (names, titles, values) safe for a terminal and short enough to read.

#include <string>
#include <string_view>

namespace heddle {

/// Replaces control characters, which a terminal would execute, with escapes: "\x1b". Tabs
/// and line ends stay.
std::string printable_text(std::string_view text);
/// Also replaces tabs and line ends: "\t", "\n".
std::string printable_line(std::string_view text);

/// A quotation for a message: at most 120 bytes, followed by "..." if the text is longer.
std::string shortened(std::string_view text);
/// Shortens each line over 2000 bytes to its beginning and its end.
std::string with_short_lines(std::string_view text);

}  // namespace heddle
