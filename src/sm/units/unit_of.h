#pragma once

// Which unit executes an instruction, and how often it goes through it.

#include <cstdint>

#include "code/instruction.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

UnitKind unit_of(const code::Instruction& instruction);

/// How many instructions of real hardware it stands for (code::Expansion), on that unit. Measured
/// counts of instructions do not contain them.
std::uint32_t expansion_of(const code::Instruction& instruction);

}  // namespace heddle::sm
