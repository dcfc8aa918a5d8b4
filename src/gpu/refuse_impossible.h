#pragma once

#include "gpu/machine.h"

namespace heddle::gpu {

/// Throws InputError for a machine that goes together but of whose parts one cannot be made, a
/// cache of no whole number of sets, say. Makes a multiprocessor of each kind and a partition of
/// memory, however many the chip has.
void refuse_impossible(const Machine& machine);

}  // namespace heddle::gpu
