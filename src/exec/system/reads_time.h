#pragma once

#include "code/instruction.h"

namespace heddle::exec {

/// Whether an instruction's result depends on the time at which it is executed.
bool reads_time(const code::Instruction& instruction);

}  // namespace heddle::exec
