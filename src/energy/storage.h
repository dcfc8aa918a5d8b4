#pragma once

#include "energy/component.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// Whether the component consists of memory arrays whose size a machine states.
bool has_storage(Component component);
/// The bytes of data in a component over the whole chip, without tags; 0 for components without
/// memory arrays.
double storage_bytes(const gpu::Machine& machine, Component component);
/// The bytes of data in one multiprocessor (the average over all) or, for the L2, in one memory
/// partition.
double mean_storage_bytes(const gpu::Machine& machine, Component component);

}  // namespace heddle::energy
