#pragma once

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

/// The handler of an `atomic` instruction, or null for a form that does not exist. The lanes act
/// one after another, in ascending order.
Handler select_atomic(const code::Instruction& instruction);

}  // namespace heddle::exec
