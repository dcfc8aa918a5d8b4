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
  /// When the latest of the experiment's runs was stored, in seconds since 1970 (UTC); empty if
  /// none is stored. The report has no other date, so that two reports of the same results are
  /// equal.
  std::optional<std::int64_t> last_stored_at{};

  /// Whether all inputs have the sizes that the study asks for. The study's claims hold for those
  /// sizes only.
  bool has_sizes_of_claims() const;
  bool has_several_seeds() const { return plan->seeds > 1; }
};

/// Judges the experiment's claims by the runs that were found in a store. Experiment and plan must
/// outlive the report.
ExperimentReport make_report(const lab::Experiment& experiment, const lab::Plan& plan,
                             lab::StoredCells cells);

void print_report(const ExperimentReport& report);
/// The table with all digits.
std::string table_to_csv(const ExperimentReport& report);
/// The parts of a stacked chart: one line for each stack, one column for each part.
std::string parts_to_csv(const ExperimentReport& report);
/// One line for each claim.
std::string claims_to_csv(const ExperimentReport& report);

}  // namespace heddle
