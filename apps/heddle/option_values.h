#pragma once

// Values of options, checked more closely than the command line's library does.

#include <cstdint>
#include <limits>
#include <string>

#include "cli_app.h"

namespace heddle {

/// A file's name: not empty, as that of a variable that was never set would be.
CLI::Validator file_name();

/// A decimal number, all of `text`. Throws InputError, which names the option and the range.
std::uint64_t parse_whole_number(const std::string& option, const std::string& text,
                                 std::uint64_t least = 0,
                                 std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace heddle
