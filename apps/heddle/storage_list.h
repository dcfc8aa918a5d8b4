#pragma once

// The storage arrays of a machine and their bits, as a table and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu/machine.h"

namespace heddle {

/// The table: a heading, a row for each array, and a row for the whole chip.
std::vector<std::vector<std::string>> rows_of_storage(const gpu::Machine& machine);
nlohmann::ordered_json storage_to_json(const gpu::Machine& machine);

}  // namespace heddle
