#pragma once

#include <cstdint>

#include "code/instruction.h"

namespace heddle::code {

/// The number of scratch registers that hardware needs while it computes the instruction, since it
/// computes divisions, remainders and roots step by step. They count as a thread's registers
/// although no instruction of Heddle's machine code names them.
std::uint32_t scratch_registers(const Instruction& instruction);

}  // namespace heddle::code
