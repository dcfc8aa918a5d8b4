#pragma once

#include <stop_token>
#include <string>

#include "lab/plan.h"
#include "limit_options.h"

namespace heddle {

/// Simulates one run of an experiment on one host thread, as lab::Simulate requires. Returns the
/// result as JSON. Throws if the result is wrong or a launch exceeds a limit, and lab::Stopped if
/// `stop` requests it.
std::string simulate_run(const lab::RunRequest& run, const std::stop_token& stop,
                         const Limits& limits);

}  // namespace heddle
