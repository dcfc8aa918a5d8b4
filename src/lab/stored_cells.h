#pragma once

// What a store has of an experiment's cells.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/measures.h"
#include "lab/plan.h"
#include "lab/store.h"

namespace heddle::lab {

/// A run whose cell stays empty.
struct LostRun {
  const RunRequest* run;
  std::string why;
};

struct StoredCells {
  std::vector<std::optional<Measures>> cells;
  std::vector<LostRun> lost;  ///< One for each cell that is empty.
  std::optional<std::int64_t> last_stored_at;
};

/// The plan must outlive what is returned.
StoredCells read_cells(const Plan& plan, const Store& store);

}  // namespace heddle::lab
