#pragma once

// Instructions are divided into families, one source file each. A family's function returns the
// handler of an instruction of the family. It returns null for other instructions, and for
// instructions that PTX does not have.

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec::HEDDLE_LANES {

Handler select_move(const code::Instruction& instruction);
Handler select_special(const code::Instruction& instruction);
Handler select_integer(const code::Instruction& instruction);
Handler select_carry(const code::Instruction& instruction);
Handler select_bits(const code::Instruction& instruction);
Handler select_logic(const code::Instruction& instruction);
Handler select_video(const code::Instruction& instruction);
Handler select_compare(const code::Instruction& instruction);
Handler select_float(const code::Instruction& instruction);
Handler select_half(const code::Instruction& instruction);
Handler select_approximate(const code::Instruction& instruction);
Handler select_convert(const code::Instruction& instruction);
Handler select_warp_wide(const code::Instruction& instruction);
Handler select_memory(const code::Instruction& instruction);
// These are parts of select_memory().
Handler select_atomic_for_warp(const code::Instruction& instruction);
Handler select_copy_async_for_warp(const code::Instruction& instruction);
Handler select_texture(const code::Instruction& instruction);

}  // namespace heddle::exec::HEDDLE_LANES
