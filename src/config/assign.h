#pragma once

// Parameters that are set from a command line.

#include <string_view>

#include "config/declarations.h"

namespace heddle::config {

/// Sets a parameter from what follows `key=` on a command line: a number, with K, M or G (of
/// 1024) after it where it counts bytes; yes or no; a choice. Throws InputError, which names the
/// key and what it may be.
void assign(const Declarations& declarations, std::string_view key, std::string_view text);
/// Splits "key=value" and assigns.
void assign(const Declarations& declarations, std::string_view key_and_value);

}  // namespace heddle::config
