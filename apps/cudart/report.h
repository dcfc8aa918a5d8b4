#pragma once

#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"
#include "machine_options.h"

namespace heddle::cuda {

// `timed` is null where there was no time.

/// To standard error.
void print_report(const std::vector<KernelTotals>& kernels, const TimedChip* timed);
/// As JSON. Throws InputError where the file cannot be written.
void write_report(const std::string& file, const std::vector<KernelTotals>& kernels,
                  const std::string& fault, const TimedChip* timed);

}  // namespace heddle::cuda
