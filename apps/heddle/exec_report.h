#pragma once

// What 'heddle exec' says of the launch that it made.

#include <nlohmann/json.hpp>

#include "code/program.h"
#include "device/device.h"
#include "machine_options.h"

namespace heddle {

// `timed` is null where a launch had no time.

/// What was launched: how the report begins.
nlohmann::ordered_json exec_kernel_to_json(const code::FunctionInfo& kernel,
                                           const device::LaunchConfiguration& configuration);
/// The kernel with all that is known of it by now, and what the host did.
nlohmann::ordered_json exec_to_json(nlohmann::ordered_json kernel, nlohmann::ordered_json host,
                                    const TimedChip* timed);
void print_exec(const code::FunctionInfo& kernel, const device::LaunchConfiguration& configuration,
                const device::LaunchResult& result, double seconds, const TimedChip* timed);

/// 0 where no time has passed.
double rate_of(std::uint64_t count, double seconds);

}  // namespace heddle
