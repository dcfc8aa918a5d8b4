#pragma once

// A register hierarchy for tests, and its classification of instructions: which have a long
// latency, and which run in units that several lanes share.

#include "code/instruction_class.h"
#include "code/placement/hierarchy.h"

namespace heddle::code::testing {

/// Whether the results come from global memory, a texture, a surface or a stack slot.
inline bool is_far_load(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::load:
    case Operation::atomic:
      return instruction.space == Space::global || instruction.space == Space::generic;
    case Operation::texture:
    case Operation::surface_load:
    case Operation::load_local_slot:
      return true;
    default:
      return false;
  }
}

inline bool is_in_shared_unit(const Instruction& instruction) {
  const InstructionClass its_class = class_of(instruction);
  return its_class == InstructionClass::memory || its_class == InstructionClass::special_function;
}

/// Three operand-file entries and a split last-result file; energies per access to a word, of which
/// only the ratios matter.
inline Hierarchy usual_hierarchy() {
  Hierarchy hierarchy;
  hierarchy.energies = {.main_read = 3.9,
                        .main_write = 4.65,
                        .operand_read_private = 0.68,
                        .operand_read_shared = 1.06,
                        .operand_write_private = 1.48,
                        .operand_write_shared = 1.86,
                        .last_result_read = 0.27,
                        .last_result_write = 0.595};
  hierarchy.in_shared_unit = is_in_shared_unit;
  hierarchy.is_long_latency = is_far_load;
  return hierarchy;
}

}  // namespace heddle::code::testing
