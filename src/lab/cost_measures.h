#pragma once

// Storage and area of a run's machine as measures (named values of a run). They are computed from
// the machine's description, so they need no simulation.

#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The names of the storage measures: "storage.bits", "storage.workload_buffer", ...
const std::vector<std::string>& storage_measures();

/// Says why a machine lacks a storage measure; empty if it has the measure.
std::string why_no_storage_measure(const gpu::Machine& machine, const std::string& measure);
/// Returns the given measures and the machine's storage measures, except those of unknown size.
Measures add_storage_measures(const gpu::Machine& machine, const Measures& measures);

/// The names of the area measures, "area.sm" and "area.chip", in square millimetres. A machine has
/// them if the technology states areas.
const std::vector<std::string>& area_measures();
/// Returns the given measures and, if the technology states areas, the area measures.
Measures add_area_measures(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures);

}  // namespace heddle::lab
