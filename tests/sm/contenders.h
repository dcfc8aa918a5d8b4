#pragma once

// Warps whose next instruction needs a given resource (a unit or a memory path).

#include "code/program.h"
#include "sm/grid.h"
#include "sm/instructions/resource.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// A program whose instruction i needs the resource with number i.
inline code::Program program_of_contenders() {
  const auto make = [](code::Operation operation, ValueType type,
                       code::Space space = code::Space::global) {
    code::Instruction instruction;
    instruction.operation = operation;
    instruction.type = type;
    instruction.space = space;
    instruction.vector_count = 1;
    return instruction;
  };
  using code::Operation;
  using code::Space;
  code::Program program;
  program.instructions = {
      make(Operation::add, ValueType::u32),
      make(Operation::add, ValueType::f32),
      make(Operation::add, ValueType::f64),
      make(Operation::sin, ValueType::f32),
      make(Operation::load, ValueType::u32, Space::global),
      make(Operation::load, ValueType::u32, Space::shared),
      make(Operation::load, ValueType::u32, Space::constant),
      make(Operation::texture, ValueType::f32),
      make(Operation::exit, ValueType::u32),
  };
  program.instructions[3].approximate = true;  // One look-up of the special-function unit.
  return program;
}

inline Grid grid_of_contenders() {
  return {
      .launch = nullptr, .table = IssueTable(program_of_contenders()), .needs = {}, .number = 0};
}

/// Fills a free warp slot with a warp whose next instruction needs `resource`.
inline Slot& take_slot_for(WarpTable& warps, const Grid& grid, WarpSlot warp, Resource resource) {
  return warps.take(warp, grid, 0, static_cast<std::uint32_t>(resource));
}

}  // namespace heddle::sm
