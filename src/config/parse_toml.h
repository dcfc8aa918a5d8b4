#pragma once

#include <string>
#include <string_view>

#include "config/toml.h"

namespace heddle::config {

/// The beginning of a region as "file:line:column", for messages.
std::string location_text(const std::string& file, const toml::source_region& region);

/// Parses a file's text. `file` appears in messages. Throws InputError with the location if the
/// text is not valid TOML or not plain ASCII.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace heddle::config
