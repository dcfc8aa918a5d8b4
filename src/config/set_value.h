#pragma once

// Setting one parameter, with what it may be held. Throws InputError.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"

namespace heddle::config {

/// What may be given for a parameter, for messages.
std::string expectation(const Parameter& parameter);
/// From what a command line or a string in a file holds.
void set_text(const Parameter& parameter, std::string_view text);
/// Of a number's parameter; `whole` where it is a whole one, `given` for messages.
void set_number(const Parameter& parameter, double value, std::uint64_t whole,
                const std::string& given);

}  // namespace heddle::config
