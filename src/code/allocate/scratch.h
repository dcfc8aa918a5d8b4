#pragma once

#include <cstdint>

#include "code/instruction.h"

namespace heddle::code {

/// Divisions, remainders and roots that real machines work out step by step, with registers of
/// their own meanwhile: a thread needs them although no instruction here names them.
std::uint32_t scratch_registers(const Instruction& instruction);

}  // namespace heddle::code
