#pragma once

#include <string>
#include <string_view>

#include "config/toml.h"

namespace heddle::config {

/// "file:line:column", the beginning of an error message.
std::string place(const std::string& file, const toml::source_region& region);

/// Throws InputError with the location if the text is not valid TOML.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace heddle::config
