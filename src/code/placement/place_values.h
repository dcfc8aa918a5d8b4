#pragma once

// The compiler's part of a hierarchy of register files (Gebhart's dissertation on on-chip storage
// for throughput processors, chapter 6): strands (strands.h), the values in them (values.h), and
// which of them are kept where (choose_places.h).

#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Of each instruction of an allocated function, block after block.
std::vector<InstructionPlacement> place_values(const Function& function,
                                               const Hierarchy& hierarchy);

}  // namespace heddle::code
