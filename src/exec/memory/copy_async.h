#pragma once

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

/// Returns the handler of a `copy_async` instruction; null if PTX has no such instruction. The
/// handler copies at once.
Handler select_copy_async(const code::Instruction& instruction);

}  // namespace heddle::exec
