#pragma once

// Which unit executes an instruction, and how many times the instruction goes through the unit.

#include <cstdint>

#include "code/instruction.h"
#include "sm/instructions/unit_kind.h"
#include "sm/instructions/wide_integers.h"

namespace heddle::sm {

/// The unit that executes the instruction.
UnitKind unit_of(const code::Instruction& instruction);

/// The number of hardware instructions that the instruction represents (code::Expansion); all
/// execute on unit_of(). Counters count the instruction once.
std::uint32_t expansion_of(const code::Instruction& instruction,
                           WideIntegers wide_integers = WideIntegers::two_words);

/// The type of the instruction's sources, except addresses.
ValueType source_type_of(const code::Instruction& instruction);

/// Whether the instruction multiplies integers of at least 32 bits.
bool multiplies_integers(const code::Instruction& instruction);

}  // namespace heddle::sm
