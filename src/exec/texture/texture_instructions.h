#pragma once

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct WarpContext;

/// The handler of texture reads. It reads lane by lane.
void read_texture(WarpContext& context, const Decoded& decoded);

/// Returns the handler of an instruction that accesses or queries a texture or surface; null for a
/// form that Heddle does not execute.
Handler select_texture_instruction(const code::Instruction& instruction);
/// As above, for an instruction that accesses a surface.
Handler select_surface_instruction(const code::Instruction& instruction);

}  // namespace heddle::exec
