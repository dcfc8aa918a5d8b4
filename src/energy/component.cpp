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
                                                           "operand_file",
                                                           "operand_file_wires",
                                                           "last_result_file",
                                                           "last_result_wires",
                                                           "operand_collectors",
                                                           "scalar_register_file",
                                                           "bypass",
                                                           "scoreboard",
                                                           "reuse_buffer",
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

bool belongs_to_register_files(Component component) {
  switch (component) {
    case Component::register_file:
    case Component::register_wires:
    case Component::operand_file:
    case Component::operand_file_wires:
    case Component::last_result_file:
    case Component::last_result_wires:
    case Component::scalar_register_file:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::energy
