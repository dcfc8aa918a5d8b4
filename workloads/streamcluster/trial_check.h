#pragma once

// Whether the device's answers are right, each in double precision from the coordinates.

#include <vector>

#include "facility_search.h"
#include "workload/verdict.h"

namespace heddle::workload::streamcluster {

struct Search {
  PointSet points;
  std::vector<Stage> stages;
};

/// Every trial by itself, from the solution that it was made for: where a point is as far from the
/// candidate as from its centre, to the last bits, the search may go either way.
void check_trials(const std::vector<Search>& searches, Verdict& verdict);

}  // namespace heddle::workload::streamcluster
