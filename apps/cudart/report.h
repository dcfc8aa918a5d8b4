#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"
#include "machine_options.h"

namespace heddle::cuda {

/// A kernel's demangled name, as in the program's source.
std::string readable_name(const std::string& kernel);

// The following functions return the report of a process, as text and as JSON. `timed` is null for
// a functional simulation. `signal` is the signal that ended the process, such as "SIGINT"; empty
// if no signal ended it.
std::string report_text(const ProcessTotals& totals, const std::string& signal,
                        const TimedChip* timed);
nlohmann::ordered_json report_to_json(const ProcessTotals& totals, const std::string& signal,
                                      const TimedChip* timed);

}  // namespace heddle::cuda
