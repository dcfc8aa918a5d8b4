#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "code/instruction.h"

namespace heddle::code {

/// A coarse class of instructions, for comparing the instruction mixes of programs.
enum class InstructionClass : std::uint8_t {
  arithmetic,
  special_function,  ///< Reciprocals, roots, exponentials, logarithms, sines; float division.
  memory,            ///< Loads, stores, atomics, copies, textures, surfaces, in any space; spills.
  branch,            ///< Everything that sets the program counter: branches, calls, returns, exits.
  synchronisation,   ///< Barriers, fences, waits.
};

inline constexpr std::array kInstructionClasses{
    InstructionClass::arithmetic, InstructionClass::special_function, InstructionClass::memory,
    InstructionClass::branch, InstructionClass::synchronisation};

InstructionClass class_of(const Instruction& instruction);
std::string_view name_of(InstructionClass instruction_class);

}  // namespace heddle::code
