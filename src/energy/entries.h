#pragma once

// By how many entries a thread an access of the operand file, or of a cache of registers, costs:
// as many as there are or, in a study of limits, as many as operands.cost_entries says.

#include <set>

#include "config/declarations.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// Of a multiprocessor that declares these parameters; 0 where it has no such file.
double cost_entries(const config::Declarations& of_multiprocessor);
/// Of all multiprocessors that have some: one number, unless they differ.
std::set<double> cost_entries(const gpu::Machine& machine);

}  // namespace heddle::energy
