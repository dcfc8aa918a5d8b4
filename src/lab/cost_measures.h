#pragma once

// What a run's machine costs, whatever the run was: worked out from its description, so that
// nothing is simulated for it.

#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/measures.h"

namespace heddle::lab {

/// "storage.bits", "storage.workload_buffer", ...: what every run has.
const std::vector<std::string>& storage_measures();

/// Why a machine has no such measure; empty where it has.
std::string why_no_storage_measure(const gpu::Machine& machine, const std::string& measure);
/// The measures with those of the machine's storage. What nobody knows is not among them.
Measures with_storage(const gpu::Machine& machine, const Measures& measures);

/// "area.sm", "area.chip": square millimetres, where the technology states areas.
const std::vector<std::string>& area_measures();
Measures with_area(const energy::Technology& technology, const gpu::Machine& machine,
                   const Measures& measures);

}  // namespace heddle::lab
