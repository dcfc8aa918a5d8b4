#pragma once

// Reads the cells of an experiment's table from a store.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/measures.h"
#include "lab/plan.h"
#include "lab/store.h"

namespace heddle::lab {

/// A run that has no usable result in the store. Its cell stays empty.
struct MissingRun {
  const RunRequest* run;
  std::string why;  ///< A message for the user.
};

struct StoredCells {
  /// In the order of Plan::cells; empty for a missing run.
  std::vector<std::optional<Measures>> cells;
  std::vector<MissingRun> missing_runs;  ///< One for each empty cell.
  /// The time when the latest of the runs was stored, in seconds since 1970 (UTC). Empty if no run
  /// was found.
  std::optional<std::int64_t> last_stored_at;
};

/// Reads the results of a plan's runs and computes their energy, storage and area. The plan must
/// outlive the returned value.
StoredCells read_cells(const Plan& plan, const Store& store);

}  // namespace heddle::lab
