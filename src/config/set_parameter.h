#pragma once

// Sets parameters from text: the argument of --set on a command line, or a value in a file. All
// functions throw InputError for an invalid value; it names the parameter and the accepted values.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"

namespace heddle::config {

/// Sets the parameter `name`. The text is a number, with K, M or G (of 1024) after it if the
/// parameter counts bytes; yes or no; or one of the parameter's choices.
void set_parameter(const Declarations& declarations, std::string_view name, std::string_view text);
/// Splits "name=value" and sets the parameter.
void set_parameter(const Declarations& declarations, std::string_view name_and_value);

/// The values that a parameter accepts, for messages.
std::string expectation(const Parameter& parameter);
void set_text(const Parameter& parameter, std::string_view text);
/// Sets a parameter that is a number. `whole` is the value if it is a whole number; `given` is what
/// messages quote.
void set_number(const Parameter& parameter, double value, std::uint64_t whole,
                const std::string& given);

}  // namespace heddle::config
