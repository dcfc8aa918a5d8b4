#pragma once

// Energy of stored results: worked out from what was counted, so that nothing is simulated for it.

#include <string>
#include <vector>

#include "energy/account.h"
#include "lab/measures.h"

namespace heddle::lab {

/// "energy.total", "energy.dram", "register_energy.total", "power.average", ...: what a run has
/// beside its other measures where an experiment names a technology.
const std::vector<std::string>& energy_measures();
/// "program.1.joules_a_run", ...: what runs of so many programs side by side have then, too.
std::vector<std::string> energy_measures_of_programs(std::size_t programs);
/// "chip_model.chip", ...: what it has too where the technology declares a chip model.
const std::vector<std::string>& chip_model_measures();

/// Of a run on a machine, in joules and watts.
energy::Account account_of(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures);
/// The measures with those of energy. Throws InputError where the technology lacks a figure: sums
/// without it would be too low.
Measures with_energy(const energy::Technology& technology, const gpu::Machine& machine,
                     const Measures& measures);

}  // namespace heddle::lab
