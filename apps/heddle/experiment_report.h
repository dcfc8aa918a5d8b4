#pragma once

// The results of an experiment, as text for the terminal and as CSV.

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
  std::vector<lab::JudgedClaim> claims{};  ///< In the order of the experiment's claims.
  /// When the latest of its runs was stored, in seconds since 1970 (UTC). The report has no date of
  /// its own, so that two reports of the same results are equal.
  std::optional<std::int64_t> last_stored_at{};

  /// Whether all inputs have the sizes that the study asks for. The study's claims hold for those
  /// sizes only.
  bool has_own_sizes() const;
  bool has_several_seeds() const { return plan->seeds > 1; }
};

/// Judges the experiment's claims by the runs that were found in a store. Experiment and plan must
/// outlive the report.
ExperimentReport make_report(const lab::Experiment& experiment, const lab::Plan& plan,
                             lab::StoredCells cells);

void print_report(const ExperimentReport& report);
std::string table_to_csv(const ExperimentReport& report);
/// One line for each stack of a stacked chart.
std::string parts_to_csv(const ExperimentReport& report);
std::string claims_to_csv(const ExperimentReport& report);

}  // namespace heddle
