#pragma once

// What the runner of an experiment is about to do, and how far it has come, as text.

#include <cstdint>
#include <string>

#include "lab/runner.h"

namespace heddle {

/// "12 of 240 runs are missing; about 1 h 20 min with 2 jobs"
std::string forecast_text(const lab::RunnerForecast& forecast, std::uint32_t jobs);

/// "3 of 12 runs, about 1 h 5 min left; bfs on storage and 1 more"
std::string progress_text(const lab::RunnerProgress& now);

}  // namespace heddle
