#pragma once

#include "energy/component.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// The components that unified storage holds in the same banks (sm/storage/unified.cpp).
inline constexpr Component kUnifiedStorage[] = {Component::register_file, Component::shared_memory,
                                                Component::l1};
bool is_in_unified_storage(Component component);

/// Whether the component consists of memory arrays whose size a machine states.
bool has_storage(Component component);
/// The bytes of data in a component over the whole chip, without tags; 0 for components without
/// memory arrays.
double storage_bytes(const gpu::Machine& machine, Component component);
/// The bytes in the banks that hold the component, in one multiprocessor (the average over all) or,
/// for the L2, in one memory partition. With unified storage, registers, scratchpad and L1 share
/// banks.
double mean_bank_bytes(const gpu::Machine& machine, Component component);

}  // namespace heddle::energy
