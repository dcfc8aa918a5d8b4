#pragma once

// What an experiment came to, for people and for other programs.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/plan.h"
#include "lab/store.h"
#include "lab/table.h"
#include "lab/verdict.h"

namespace heddle {

struct ExperimentReport {
  const lab::Experiment* experiment = nullptr;
  const lab::Plan* plan = nullptr;
  lab::Table table{};
  std::vector<lab::ClaimVerdict> verdicts{};  ///< By claim.
};

/// Reads what the store has of an experiment's runs. Both must outlive the report.
ExperimentReport make_report(const lab::Experiment& experiment, const lab::Plan& plan,
                             const lab::Store& store);

void print_report(const ExperimentReport& report);
nlohmann::ordered_json report_to_json(const ExperimentReport& report);
std::string table_to_csv(const ExperimentReport& report);
std::string claims_to_csv(const ExperimentReport& report);

}  // namespace heddle
