#pragma once

#include <string>
#include <string_view>

#include "config/toml.h"

namespace heddle::config {

/// "file:line:column", as messages begin.
std::string place(const std::string& file, const toml::source_region& region);

/// Throws InputError, with the place, for what is no TOML.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace heddle::config
