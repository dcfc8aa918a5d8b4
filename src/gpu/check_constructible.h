#pragma once

#include "gpu/machine.h"

namespace heddle::gpu {

/// Throws InputError if a component of a machine that passes Machine::check() cannot be
/// constructed, such as a cache whose size is not a whole number of sets. Constructs one
/// multiprocessor of each kind (SmKind) and one memory partition.
void check_constructible(const Machine& machine);

}  // namespace heddle::gpu
