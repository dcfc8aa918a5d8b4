#pragma once

// The bits that a machine has, for people and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu/machine.h"

namespace heddle {

/// A heading, a row for each array, and the whole chip's.
std::vector<std::vector<std::string>> rows_of_storage(const gpu::Machine& machine);
nlohmann::ordered_json storage_to_json(const gpu::Machine& machine);

}  // namespace heddle
