#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"
#include "machine_options.h"

namespace heddle::cuda {

// `timed` is null where there was no time.

/// For people.
std::string report_text(const LaunchTotals& totals, const TimedChip* timed);
nlohmann::ordered_json report_to_json(const LaunchTotals& totals, const TimedChip* timed);

}  // namespace heddle::cuda
