#pragma once

// The number of entries per thread that determines the access energy of the operand file (ORF) or
// register file cache (RFC): the actual number or, in a limit study, operands.cost_entries.

#include <set>

#include "config/declarations.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// The number for a multiprocessor with these parameters; 0 if it has no such file.
double cost_entries(const config::Declarations& multiprocessor);
/// The distinct numbers of all multiprocessors that have such a file.
std::set<double> cost_entries(const gpu::Machine& machine);

}  // namespace heddle::energy
