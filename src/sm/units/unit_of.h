#pragma once

// Which unit executes an instruction, and how often it goes through it.

#include <cstdint>

#include "code/instruction.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

UnitKind unit_of(const code::Instruction& instruction);

/// How many instructions of real hardware it stands for. Our machine code keeps PTX's 64-bit
/// integers, divisions and roots whole; hardware makes them from 32-bit instructions. These are
/// rounded counts of what compilers for it emit, for operands that take the common path. Measured
/// counts of instructions do not contain them.
std::uint32_t expansion_of(const code::Instruction& instruction);

}  // namespace heddle::sm
