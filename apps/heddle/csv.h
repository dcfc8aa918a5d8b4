#pragma once

#include <string>
#include <vector>

namespace heddle {

/// One line of comma-separated values: RFC 4180, but ended by a plain line feed.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace heddle
