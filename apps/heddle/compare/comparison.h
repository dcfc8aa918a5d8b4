#pragma once

#include <string>
#include <vector>

#include "compare/saved_run.h"

namespace heddle {

struct ChangedValue {
  std::string name;
  double before = 0;
  double after = 0;
};

/// The names of the parameters whose values differ, with both values; "-" for one that a machine
/// lacks.
struct ChangedParameter {
  std::string name;
  std::string before;
  std::string after;
};
std::vector<ChangedParameter> changed_parameters(const SavedRun& before, const SavedRun& after);

/// The shares of issue slots that differ, the largest difference first.
std::vector<ChangedValue> changed_slots(const SavedCounts& before, const SavedCounts& after);

/// The counters that differ, the largest ratio first; one that is 0 in one of the runs comes before
/// all others. Counters below one for each thousand warp instructions in both runs come last.
std::vector<ChangedValue> changed_counters(const SavedCounts& before, const SavedCounts& after);

/// The cycles of the kernels, the largest difference first. A kernel that a run lacks has 0.
std::vector<ChangedValue> changed_kernels(const SavedRun& before, const SavedRun& after);

/// "+4.7 %"; "new" or "gone" if one of the values is 0.
std::string change_text(double before, double after);

}  // namespace heddle
