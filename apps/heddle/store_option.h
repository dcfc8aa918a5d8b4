#pragma once

#include <string>

#include "cli_app.h"

namespace heddle {

/// Declares --store: a file; where it is not given, $HEDDLE_STORE or heddle-results.sqlite.
void add_store_option(CLI::App& verb, std::string& file);

}  // namespace heddle
