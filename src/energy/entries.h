#pragma once

// The number of entries per thread by which the access energy of the operand file (ORF) or register
// file cache (RFC) is selected. This is the file's size or, in a limit study, the parameter
// operands.cost_entries.

#include <set>

#include "config/declarations.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// The number for a multiprocessor with these parameters; 0 if it has neither file.
double cost_entries(const config::Declarations& multiprocessor);
/// The distinct numbers of all multiprocessors that have an operand file or register file cache.
std::set<double> cost_entries(const gpu::Machine& machine);

}  // namespace heddle::energy
