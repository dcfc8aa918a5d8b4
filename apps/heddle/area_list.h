#pragma once

// The area of a machine's multiprocessors, as a table and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle {

/// The table has a heading, a row for each part, and a row for the whole chip. Throws InputError if
/// the technology states no areas.
std::vector<std::vector<std::string>> rows_of_area(const energy::Technology& technology,
                                                   const gpu::Machine& machine);
nlohmann::ordered_json area_to_json(const energy::Technology& technology,
                                    const gpu::Machine& machine);

}  // namespace heddle
