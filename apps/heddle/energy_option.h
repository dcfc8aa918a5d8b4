#pragma once

// --energy [TECHNOLOGY][,all]: the energy of a timed simulation.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli_app.h"
#include "energy/technology.h"
#include "gpu/machine.h"

namespace heddle {

/// Which components the summary of a run lists. JSON always contains all components.
enum class ListedComponents : std::uint8_t {
  large,  ///< Those with at least 1 % of the energy.
  all
};

/// The parsed value of --energy.
struct EnergyRequest {
  std::string technology;  ///< A name or a file; empty: the machine's default.
  ListedComponents listed = ListedComponents::large;
};

/// Declares --energy. `value` stays empty unless the option is given.
void add_energy_option(CLI::App& verb, std::string& value);
/// Empty if `value` is empty, that is, if the option was not given.
std::optional<EnergyRequest> parse_energy(std::string_view value);
/// The requested technology, or the machine's default. Throws InputError for an unknown technology,
/// and if the machine has no default.
energy::Technology technology_for(const EnergyRequest& request, const gpu::Machine& machine);

}  // namespace heddle
