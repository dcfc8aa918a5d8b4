#pragma once

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Of each instruction, in order: everything in the main register file, and no marks.
std::vector<InstructionPlacement> plain_placement(const CodeOrder& code);

}  // namespace heddle::code
