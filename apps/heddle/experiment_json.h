#pragma once

#include <nlohmann/json.hpp>

#include "experiment_report.h"

namespace heddle {

/// The results of an experiment and how they were measured. docs/experiment-results.md describes
/// the keys.
nlohmann::ordered_json report_to_json(const ExperimentReport& report);

}  // namespace heddle
