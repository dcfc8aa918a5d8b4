#pragma once

// Checks of option values that are stricter than those of CLI11.

#include <cstdint>
#include <limits>
#include <string>

#include "cli_app.h"

namespace heddle {

/// A validator that rejects an empty file name, such as the value of an unset shell variable.
CLI::Validator file_name();

/// Parses `text`, all of which must be a decimal number from `least` to `most` inclusive. Throws
/// InputError with a message that names the option and the range.
std::uint64_t parse_whole_number(const std::string& option, const std::string& text,
                                 std::uint64_t least = 0,
                                 std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace heddle
