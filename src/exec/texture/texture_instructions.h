#pragma once

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

/// The handler of a texture or surface instruction or query; null for a form that does not exist.
Handler select_texture_instruction(const code::Instruction& instruction);
Handler select_surface_instruction(const code::Instruction& instruction);

}  // namespace heddle::exec
