#pragma once

#include "code/instruction.h"

namespace heddle::exec {

/// Whether the instruction reads %clock, %globaltimer or a variant of them.
bool reads_time(const code::Instruction& instruction);

}  // namespace heddle::exec
