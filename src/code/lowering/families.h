#pragma once

// The translations of PTX instructions, one file a family. Which of them translates an opcode
// stands in ptx/opcode.def.

#include "code/lowering/translator.h"

namespace heddle::code::lowering {

#define HEDDLE_PTX_OPCODE(name, spelling, lowering) void lowering(Translator& t);
#define HEDDLE_PTX_NOT_EXECUTED(name, spelling)
#include "ptx/opcode.def"

/// Sets what the suffixes common to arithmetic say: rounding, ftz, sat, approx, relu and so on.
void set_arithmetic_suffixes(const Translator& t, Instruction& instruction);
/// d = operation(a, b, ...), all of the instruction's type.
Instruction& lower_plain(Translator& t, Operation operation, std::size_t sources);
/// The comparison that the suffixes name; on unsigned values for lo, ls, hi and hs.
Comparison comparison_of(const Translator& t);
/// Sets memory order, scope and cache operator from the suffixes.
void set_memory_suffixes(const Translator& t, Instruction& instruction);
/// The operation that the suffixes of atom, red, redux and sured name.
Reduction reduction_of(const Translator& t);

}  // namespace heddle::code::lowering
