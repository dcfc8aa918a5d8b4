#pragma once

// The results of a timed simulation as JSON. docs/results.md describes the keys.

#include <nlohmann/json.hpp>

#include "machine_options.h"
#include "timing.h"

namespace heddle {

/// The machine's name and summary, and every parameter with its value.
nlohmann::ordered_json machine_to_json(const gpu::Machine& machine);
/// The value of a parameter.
nlohmann::ordered_json value_to_json(const config::Parameter& parameter);

/// Adds all counters and derived figures to the JSON of a kernel or of a run's totals.
void add_timing(nlohmann::ordered_json& json, const TimedChip& timed, const Timing& timing);
/// Adds the cycles and the occupancy to the JSON of a launch.
void add_timing(nlohmann::ordered_json& launch, const TimedChip& timed, const gpu::KernelRun& run);
nlohmann::ordered_json totals_to_json(const TimedChip& timed);
/// Adds the kernels, launches and totals of a run that a fault or a signal ended early.
void add_unfinished(nlohmann::ordered_json& json, const TimedChip& timed);

}  // namespace heddle
