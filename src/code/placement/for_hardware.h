#pragma once

// What a compiler must see to where hardware keeps last results in a file that shared units cannot
// read (Gebhart's dissertation on on-chip storage for throughput processors, section 6.5.2).

#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Of each instruction of an allocated function, block after block: results that a shared unit may
/// read have their place in the operand file, which is the cache below; others in the last-result
/// file.
std::vector<InstructionPlacement> place_for_hardware(const Function& function,
                                                     const Hierarchy& hierarchy);

}  // namespace heddle::code
