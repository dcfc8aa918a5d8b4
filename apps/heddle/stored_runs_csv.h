#pragma once

#include <optional>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "lab/stored_run.h"

namespace heddle {

/// One line for each run, and one column for each measure that any of the runs has. With a
/// technology there are also columns of energy; throws InputError if the technology lacks a value
/// that they need.
std::string stored_runs_to_csv(const std::vector<lab::StoredRun>& runs,
                               const std::optional<energy::Technology>& technology);

}  // namespace heddle
