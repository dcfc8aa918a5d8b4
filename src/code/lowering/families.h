#pragma once

// The translation functions of PTX instructions, in one source file for each family of
// instructions. ptx/opcode.def says which function translates which opcode.

#include "code/lowering/translator.h"

namespace heddle::code::lowering {

#define HEDDLE_PTX_OPCODE(name, spelling, lowering) void lowering(Translator& t);
#define HEDDLE_PTX_NOT_EXECUTED(name, spelling)
#include "ptx/opcode.def"

/// Sets the fields for suffixes of arithmetic instructions: rounding, ftz, sat, approx, relu etc.
void set_arithmetic_suffixes(const Translator& t, Instruction& instruction);
/// Emits d = operation(a, b, ...) with `sources` sources; all operands have the instruction's type.
Instruction& lower_plain(Translator& t, Operation operation, std::size_t sources);
/// The comparison that the suffixes name. lo, ls, hi and hs compare unsigned values.
Comparison comparison_of(const Translator& t);
/// Sets memory order, scope and cache operator from the suffixes.
void set_memory_suffixes(const Translator& t, Instruction& instruction);
/// The operation that the suffixes of atom, red, redux and sured name.
Reduction reduction_of(const Translator& t);

}  // namespace heddle::code::lowering
