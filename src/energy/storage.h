#pragma once

#include "energy/component.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// Whether it is made of arrays of memory whose size a machine states.
bool has_storage(Component component);
/// The bytes of data that a machine has of a component, over the whole chip; 0 of what is no array
/// of memory. Tags are not in it.
double storage_bytes(const gpu::Machine& machine, Component component);
/// Of one of the places that have it: a multiprocessor or, of the L2, a partition of memory; the
/// average where multiprocessors differ.
double storage_bytes_of_each(const gpu::Machine& machine, Component component);

}  // namespace heddle::energy
