#pragma once

#include <optional>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "lab/stored_run.h"

namespace heddle {

/// A line for each run, a column for all that any of them measured, and for energy where a
/// technology is given. Throws InputError where that lacks a figure.
std::string stored_runs_to_csv(const std::vector<lab::StoredRun>& runs,
                               const std::optional<energy::Technology>& technology);

}  // namespace heddle
