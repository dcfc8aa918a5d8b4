#pragma once

// The parts of a chip that an account of energy tells apart.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_array.h"

namespace heddle::energy {

enum class Component : std::uint8_t {
  instruction_fetch,
  decode,
  scheduler,
  branch_unit,
  register_file,   ///< Its banks.
  register_wires,  ///< Between the banks and the units.
  // Of levels above the main register file, if there are any.
  operand_file,  ///< Or a cache of registers: its entries.
  operand_file_wires,
  last_result_file,
  last_result_wires,
  operand_collectors,  ///< With the crossbar in front of them.
  scalar_register_file,
  bypass,      ///< Ways for results to units that read them at once.
  scoreboard,  ///< One that all warps share, with results until they commit.
  preexecution,
  integer_units,
  fp32_units,
  fp64_units,
  special_units,
  memory_pipeline,  ///< Addresses, and their coalescing.
  shared_memory,
  l1,
  constant_cache,
  texture_unit,
  core,  ///< What of a multiprocessor is in no other component: clock tree, latches, control.
  interconnect,
  l2,
  uncore,  ///< What of the chip is in none.
  dram,
};
inline constexpr std::size_t kComponents = values_up_to(Component::dram);

template <class Value>
using ByComponent = EnumArray<Component, Value, kComponents>;

/// "register_file"
std::string_view name_of(Component component);
std::optional<Component> find_component(std::string_view name);
std::vector<std::string> component_names();
/// Whether it is what a chip model's register files are: banks and wires, wherever values lie.
bool keeps_registers(Component component);

}  // namespace heddle::energy
