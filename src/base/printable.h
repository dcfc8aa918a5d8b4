#pragma once

// Texts that come from outside (names, titles, values), made fit for a terminal and for people.

#include <string>
#include <string_view>

namespace heddle {

/// Control characters, with which a text could do anything to a terminal, as escapes: "\x1b".
/// Tabs and ends of lines stay.
std::string printable_text(std::string_view text);
/// The same, with tabs and ends of lines as escapes too: "\t", "\n".
std::string printable_line(std::string_view text);

/// What a message quotes: at most some hundred bytes, and "..." where there was more.
std::string shortened(std::string_view text);
/// Of lines that are too long for anybody, their begin and their end.
std::string with_short_lines(std::string_view text);

}  // namespace heddle
