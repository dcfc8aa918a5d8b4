#pragma once

#include <string>

#include "cli_app.h"

namespace heddle {

/// Declares --store, the file of the store. Default: $HEDDLE_STORE, else heddle-results.sqlite.
void add_store_option(CLI::App& verb, std::string& file);

}  // namespace heddle
