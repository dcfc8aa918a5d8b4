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

/// A run that has no usable result in the store, so that its cell stays empty.
struct MissingRun {
  const RunRequest* run;
  std::string why;  ///< A message for the user.
};

struct StoredCells {
  std::vector<std::optional<Measures>> cells;  ///< In the order of Plan::cells.
  std::vector<MissingRun> missing;             ///< One for each empty cell.
  /// When the latest of the runs was stored, in seconds since 1970 (UTC). Empty if no run was
  /// found.
  std::optional<std::int64_t> last_stored_at;
};

/// The plan must outlive the returned value.
StoredCells read_cells(const Plan& plan, const Store& store);

}  // namespace heddle::lab
