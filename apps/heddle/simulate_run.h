#pragma once

#include <stop_token>
#include <string>

#include "lab/plan.h"

namespace heddle {

/// Simulates what an experiment asks for, on one thread of the host: a lab::Simulate. A result that
/// is wrong is a failure.
std::string simulate_run(const lab::RunRequest& run, const std::stop_token& stop);

}  // namespace heddle
