#pragma once

#include <string>
#include <vector>

#include "exit_code.h"

namespace heddle {

/// Adds the runs of the stores `files` to the store `target`, which is created if it is missing,
/// and prints what became of them. Returns ExitCode::check_failed if runs were left out. Throws
/// InputError if a file is no store.
ExitCode merge_stores(const std::vector<std::string>& files, const std::string& target);

}  // namespace heddle
