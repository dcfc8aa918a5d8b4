#pragma once

// Computes the energy of stored runs from their counters. This needs no simulation.

#include <string>
#include <vector>

#include "energy/account.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The names of the measures that a run has in addition if the experiment names a technology:
/// "energy.total", "energy.dram", "register_energy.total", "power.average", ...
const std::vector<std::string>& energy_measures();
/// The names of the measures that a run has in addition if this many programs run side by side:
/// "program.1.joules_per_run", ...
std::vector<std::string> energy_measures_of_programs(std::size_t programs);
/// The names of the measures that a run has in addition if the technology declares a chip model:
/// "chip_model.chip", ...
const std::vector<std::string>& chip_model_measures();

/// The energy account of a run on a machine.
energy::Account account_of(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures);
/// Returns the given measures and the energy measures. Throws InputError if the technology lacks a
/// value that they need, because sums without it would be too low.
Measures add_energy_measures(const energy::Technology& technology, const gpu::Machine& machine,
                             const Measures& measures);

}  // namespace heddle::lab
