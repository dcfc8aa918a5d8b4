#pragma once

// Compiler support for hardware-managed register caches with a last-result file (LRF). Shared units
// (special functions, memory, texture) cannot read that file, so the compiler marks the results
// that they may read (Gebhart's dissertation on on-chip storage for throughput processors, section
// 6.5.2).

#include <vector>

#include "code/function.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

/// Returns the placement of each instruction of an allocated function, block after block. Results
/// that a shared unit may read are placed in RegisterLevel::operand, which here means the register
/// file cache (RFC). Other results are placed in the last-result file.
std::vector<InstructionPlacement> place_for_hardware(const Function& function,
                                                     const Hierarchy& hierarchy);

}  // namespace heddle::code
