#pragma once

#include "gpu/machine.h"

namespace heddle::gpu {

/// Throws InputError if a component cannot be constructed although Machine::check() passes, such as
/// a cache with a fraction of a set. Constructs one multiprocessor of each kind and one memory
/// partition.
void check_constructible(const Machine& machine);

}  // namespace heddle::gpu
