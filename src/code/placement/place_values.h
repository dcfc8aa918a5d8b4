#pragma once

// Places values in a compiler-managed hierarchy of register files (Gebhart's dissertation on
// on-chip storage for throughput processors, chapter 6) in three steps: it finds strands
// (strands.h), finds the values in them (values.h), and chooses the place of each value
// (choose_places.h).

#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Returns the placement of each instruction of an allocated function, block after block.
std::vector<InstructionPlacement> place_values(const Function& function,
                                               const Hierarchy& hierarchy);

}  // namespace heddle::code
