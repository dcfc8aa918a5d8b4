#pragma once

// Storage and area of a run's machine as measures. They are computed from the machine's
// description, so they need no simulation.

#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The names of the storage measures: "storage.bits", "storage.workload_buffer", ...
const std::vector<std::string>& storage_measures();

/// Says why a machine lacks a storage measure; empty if the machine has the measure.
std::string why_no_storage_measure(const gpu::Machine& machine, const std::string& measure);
/// Returns the measures together with the machine's storage measures, except those of unknown size.
Measures add_storage_measures(const gpu::Machine& machine, const Measures& measures);

/// The names of the area measures, "area.sm" and "area.chip", in square millimetres. They exist if
/// the technology states areas.
const std::vector<std::string>& area_measures();
Measures add_area_measures(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures);

}  // namespace heddle::lab
