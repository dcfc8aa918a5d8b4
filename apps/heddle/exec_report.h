#pragma once

// The report of 'heddle exec' about the launch of its kernel, as text and as JSON.

#include <nlohmann/json.hpp>

#include "code/program.h"
#include "device/device.h"
#include "machine_options.h"

namespace heddle {

// In the following functions, `timed` is null for a functional simulation.

/// The kernel and its launch configuration: the beginning of the report.
nlohmann::ordered_json exec_kernel_to_json(const code::FunctionInfo& kernel,
                                           const device::LaunchConfiguration& configuration);
/// The whole report: the kernel's description with its results, and the host's times.
nlohmann::ordered_json exec_to_json(nlohmann::ordered_json kernel, nlohmann::ordered_json host,
                                    const TimedChip* timed);
/// Prints the report as text. `seconds`: the host's time for the launch.
void print_exec(const code::FunctionInfo& kernel, const device::LaunchConfiguration& configuration,
                const device::LaunchResult& result, double seconds, const TimedChip* timed);

/// `count` per second; 0 if no time has passed.
double rate_of(std::uint64_t count, double seconds);

}  // namespace heddle
