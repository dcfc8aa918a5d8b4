#pragma once

// Sets parameters from text: the argument of --set on a command line, or a value in a file. All
// functions throw InputError for an invalid value; the message names the parameter and the accepted
// values.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"

namespace heddle::config {

/// Sets the parameter `name`. The text is a number, "yes" or "no", or one of the parameter's
/// choices, according to the parameter's type. A number of bytes may have a suffix K, M or G
/// (powers of 1024).
void set_parameter(const Declarations& declarations, std::string_view name, std::string_view text);
/// Splits "name=value" and sets the parameter.
void set_parameter(const Declarations& declarations, std::string_view name_and_value);

/// The values that a parameter accepts, for messages: "whole number, 1 to 64 cycles".
std::string expectation(const Parameter& parameter);
/// Sets a parameter of any type.
void set_text(const Parameter& parameter, std::string_view text);
/// Sets a parameter that is a number. Parameters for whole numbers get `whole_value`, others
/// `value`; both are the same number if it is whole. Messages quote `given`.
void set_number(const Parameter& parameter, double value, std::uint64_t whole_value,
                const std::string& given);

}  // namespace heddle::config
