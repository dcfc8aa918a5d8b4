#pragma once

// What other programs read of a run in time. docs/results.md says what each part means.

#include <nlohmann/json.hpp>

#include "machine_options.h"
#include "timing.h"

namespace heddle {

/// Name, summary, and every parameter with its value.
nlohmann::ordered_json machine_to_json(const gpu::Machine& machine);
/// What a parameter holds, as JSON writes it.
nlohmann::ordered_json value_to_json(const config::Parameter& parameter);

/// Adds to a kernel, or to the totals of a run, all that was counted.
void add_timing(nlohmann::ordered_json& json, const TimedChip& timed, const Timing& timing);
/// Adds to a launch what it took.
void add_timing(nlohmann::ordered_json& launch, const TimedChip& timed, const gpu::KernelRun& run);
nlohmann::ordered_json totals_to_json(const TimedChip& timed);
/// Adds kernels, launches and totals of what ran until a fault.
void add_unfinished(nlohmann::ordered_json& json, const TimedChip& timed);

}  // namespace heddle
