#pragma once

// What an experiment came to, for people and for tables.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/judged_claim.h"
#include "lab/plan.h"
#include "lab/stored_cells.h"
#include "lab/table.h"

namespace heddle {

struct ExperimentReport {
  const lab::Experiment* experiment = nullptr;
  const lab::Plan* plan = nullptr;
  lab::Table table{};
  std::vector<lab::JudgedClaim> claims{};  ///< By the experiment's.
  /// When the last of its runs was; a report of the same results is the same whenever it is made.
  std::optional<std::int64_t> last_stored_at{};

  /// Whether the inputs are of the sizes that the study asks for: its claims are about those.
  bool own_sizes() const;
  bool several_seeds() const { return plan->seeds > 1; }
};

/// Of what a store has of an experiment's runs. Experiment and plan must outlive the report.
ExperimentReport make_report(const lab::Experiment& experiment, const lab::Plan& plan,
                             lab::StoredCells cells);

void print_report(const ExperimentReport& report);
std::string table_to_csv(const ExperimentReport& report);
/// A line for each stack of a stacked chart.
std::string parts_to_csv(const ExperimentReport& report);
std::string claims_to_csv(const ExperimentReport& report);

}  // namespace heddle
