#include "energy_option.h"

#include <CLI/CLI.hpp>

namespace heddle {
namespace {

/// The value of --energy without a technology.
constexpr std::string_view kUsual = "usual";
constexpr std::string_view kAll = "all";
constexpr std::string_view kAllSuffix = ",all";

}  // namespace

void add_energy_option(CLI::App& verb, std::string& value) {
  verb.add_option(
          "--energy", value,
          "Report the energy of the run: with a technology of 'heddle list energies', a file, or "
          "the machine's default technology. The summary lists components of 1 % or more; with "
          "'all', every component. Timed simulation only")
      ->expected(0, 1)
      ->default_str(std::string(kUsual))
      ->type_name("[TECHNOLOGY|FILE.toml][,all]");
}

std::optional<EnergyRequest> parse_energy(std::string_view value) {
  if (value.empty()) return std::nullopt;
  EnergyRequest request;
  if (value == kAll || value.ends_with(kAllSuffix)) {
    request.listed = ListedComponents::all;
    value.remove_suffix(value == kAll ? kAll.size() : kAllSuffix.size());
  }
  if (value != kUsual) request.technology = value;
  return request;
}

energy::Technology technology_for(const EnergyRequest& request, const gpu::Machine& machine) {
  return request.technology.empty() ? energy::technology_of_machine(machine.name)
                                    : energy::load_technology(request.technology);
}

}  // namespace heddle
