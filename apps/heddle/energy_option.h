#pragma once

// --energy [TECHNOLOGY]: what a run in time took.

#include <optional>
#include <string>

#include "cli_app.h"
#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle {

/// `technology` stays empty where the option is not given.
void add_energy_option(CLI::App& verb, std::string& technology);
/// Empty where the option is not given; the machine's usual one where it names none. Throws
/// InputError where there is none.
std::optional<energy::Technology> technology_for(const std::string& technology,
                                                 const gpu::Machine& machine);

}  // namespace heddle
