#pragma once

#include <stop_token>
#include <string>

#include "lab/plan.h"
#include "limit_options.h"

namespace heddle {

/// Simulates what an experiment asks for, on one thread of the host: what a lab::Simulate does. A
/// result that is wrong is a failure, and so is a launch that takes more than it may.
std::string simulate_run(const lab::RunRequest& run, const std::stop_token& stop,
                         const Limits& limits);

}  // namespace heddle
