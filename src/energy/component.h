#pragma once

// The components of a chip that an energy account distinguishes.

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
  register_file,   ///< Banks of the main register file.
  register_wires,  ///< Wires between these banks and the execution units.
  // Levels above the main register file, if there are any.
  operand_file,  ///< Entries of the operand register file (ORF) or register file cache (RFC).
  operand_file_wires,
  last_result_file,  ///< Last result file (LRF).
  last_result_wires,
  operand_collectors,  ///< Including the crossbar from the banks.
  scalar_register_file,
  bypass,        ///< Forwarding paths to units that read a result before write-back.
  scoreboard,    ///< The scoreboard shared by all warps, which holds results until they commit.
  reuse_buffer,  ///< The results of earlier instructions, for repeated ones (Xiang, section 2.4.3).
  preexecution,  ///< The structures that Warped-Preexecution adds (Kim et al.).
  integer_units,
  fp32_units,
  fp64_units,
  special_units,
  memory_pipeline,  ///< Address generation and coalescing.
  shared_memory,
  l1,
  constant_cache,
  texture_unit,
  core,  ///< The rest of a multiprocessor: clock tree, latches, control.
  interconnect,
  l2,
  uncore,  ///< The rest of the chip outside the multiprocessors.
  dram,
};
inline constexpr std::size_t kComponents = values_up_to(Component::dram);

template <class Value>
using ByComponent = EnumArray<Component, Value, kComponents>;

/// The component's name in technologies: "register_file".
std::string_view name_of(Component component);
/// The component with this name in technologies; empty if there is none.
std::optional<Component> find_component(std::string_view name);
std::vector<std::string> component_names();
/// Whether the component belongs to the register files of ChipModel: banks and wires of all levels.
bool belongs_to_register_files(Component component);

}  // namespace heddle::energy
