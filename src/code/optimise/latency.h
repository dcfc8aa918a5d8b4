#pragma once

#include "code/instruction.h"

namespace heddle::code {

/// About how many cycles pass from an instruction to the first that can use its result. Only the
/// order of instructions is decided with it, for machines of which nothing more is known here.
unsigned expected_latency(const Instruction& instruction);

}  // namespace heddle::code
