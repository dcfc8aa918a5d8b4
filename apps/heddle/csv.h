#pragma once

#include <string>
#include <vector>

namespace heddle {

/// One line of comma-separated values, quoted as RFC 4180 requires. It ends with a line feed; the
/// RFC asks for a carriage return before it.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace heddle
