#include "energy/component.h"

#include <algorithm>
#include <array>

namespace heddle::energy {
namespace {

constexpr std::array<std::string_view, kComponents> kNames{"instruction_fetch",
                                                           "decode",
                                                           "scheduler",
                                                           "branch_unit",
                                                           "register_file",
                                                           "register_wires",
                                                           "operand_collectors",
                                                           "scalar_register_file",
                                                           "preexecution",
                                                           "integer_units",
                                                           "fp32_units",
                                                           "fp64_units",
                                                           "special_units",
                                                           "memory_pipeline",
                                                           "shared_memory",
                                                           "l1",
                                                           "constant_cache",
                                                           "texture_unit",
                                                           "core",
                                                           "interconnect",
                                                           "l2",
                                                           "uncore",
                                                           "dram"};

}  // namespace

std::string_view name_of(Component component) {
  return kNames[static_cast<std::size_t>(component)];
}

std::optional<Component> find_component(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Component>(found - kNames.begin());
}

std::vector<std::string> component_names() { return {kNames.begin(), kNames.end()}; }

bool keeps_registers(Component component) {
  return component == Component::register_file || component == Component::register_wires ||
         component == Component::scalar_register_file;
}

}  // namespace heddle::energy
