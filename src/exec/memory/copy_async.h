#pragma once

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

/// The handler of a `copy_async` instruction, or null for a form that does not exist. The handler
/// copies immediately.
Handler select_copy_async(const code::Instruction& instruction);

}  // namespace heddle::exec
