#pragma once

// The area of a machine's multiprocessors, for people and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle {

/// A heading, a row for each part, and the whole chip's. Throws InputError where the technology
/// states no areas.
std::vector<std::vector<std::string>> rows_of_area(const energy::Technology& technology,
                                                   const gpu::Machine& machine);
nlohmann::ordered_json area_to_json(const energy::Technology& technology,
                                    const gpu::Machine& machine);

}  // namespace heddle
