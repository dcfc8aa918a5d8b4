#include "energy_option.h"

#include <CLI/CLI.hpp>

namespace heddle {
namespace {

constexpr const char* kUsual = "usual";

}  // namespace

void add_energy_option(CLI::App& verb, std::string& technology) {
  verb.add_option("--energy", technology,
                  "Say what energy it took, with a technology that 'heddle list energies' "
                  "shows, or the file of one; with the machine's usual one where none is named")
      ->expected(0, 1)
      ->default_str(kUsual)
      ->type_name("[TECHNOLOGY|FILE.toml]");
}

std::optional<energy::Technology> technology_for(const std::string& technology,
                                                 const gpu::Machine& machine) {
  if (technology.empty()) return std::nullopt;
  return technology == kUsual ? energy::technology_of_machine(machine.name)
                              : energy::load_technology(technology);
}

}  // namespace heddle
