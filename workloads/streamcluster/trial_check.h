#pragma once

// Checks the device's trials, each in double precision from the coordinates.

#include <vector>

#include "facility_search.h"
#include "workload/check_result.h"

namespace heddle::workload::streamcluster {

struct Search {
  PointSet points;
  std::vector<Stage> stages;
};

/// Checks every trial on its own, from the solution that it was made for. If a point is as far from
/// the candidate as from its centre, to the last bits, either is allowed.
void check_trials(const std::vector<Search>& searches, CheckResult& check);

}  // namespace heddle::workload::streamcluster
