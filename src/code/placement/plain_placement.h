#pragma once

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Returns the placement of each instruction, in order, without a hierarchy: all words are in the
/// main register file, no strand begins, and nothing suspends the warp.
std::vector<InstructionPlacement> plain_placement(const CodeOrder& code);

}  // namespace heddle::code
