#pragma once

// The area of a machine's multiprocessors, as a table and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle {

/// The table: a heading, a row for each part of a multiprocessor, and a row for the whole chip.
/// Throws InputError if the technology states no areas.
std::vector<std::vector<std::string>> rows_of_area(const energy::Technology& technology,
                                                   const gpu::Machine& machine);
/// The same as JSON; throws likewise.
nlohmann::ordered_json area_to_json(const energy::Technology& technology,
                                    const gpu::Machine& machine);

}  // namespace heddle
