#pragma once

#include "code/instruction.h"

namespace heddle::sm {

/// Whether the instruction reads a special register that has the same value in all threads of a
/// warp, whatever the block's shape.
bool reads_warp_special(const code::Instruction& instruction);

}  // namespace heddle::sm
