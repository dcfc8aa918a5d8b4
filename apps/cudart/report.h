#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"
#include "machine_options.h"

namespace heddle::cuda {

/// A kernel's name as the program's source has it.
std::string readable_name(const std::string& kernel);

// `timed` is null where there was no time.

/// For people.
/// `signal` is what ended the process, as "SIGINT"; empty: it ended by itself.
std::string report_text(const LaunchTotals& totals, const std::string& signal,
                        const TimedChip* timed);
nlohmann::ordered_json report_to_json(const LaunchTotals& totals, const std::string& signal,
                                      const TimedChip* timed);

}  // namespace heddle::cuda
