#pragma once

#include <string>
#include <vector>

namespace heddle {

/// A line of comma-separated values (RFC 4180, with a plain line feed).
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace heddle
