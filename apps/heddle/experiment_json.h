#pragma once

#include <nlohmann/json.hpp>

#include "experiment_report.h"

namespace heddle {

/// What an experiment came to, and all that a reader needs to know of how; docs/laboratory.md says
/// what each part means.
nlohmann::ordered_json report_to_json(const ExperimentReport& report);

}  // namespace heddle
