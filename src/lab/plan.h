#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/machine.h"
#include "lab/experiment.h"
#include "lab/sources.h"

namespace heddle::lab {

/// One run that is asked for, with all that determines it.
struct RunRequest {
  std::string key{};
  const workload::Workload* workload = nullptr;
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  Registers registers = Registers::compiled;
  workload::GridShape grid = workload::GridShape::input;
  gpu::Machine machine{};
  std::vector<std::string> settings{};  ///< What was changed in the machine, for people.
  std::string parameters{};             ///< The machine's, as parameters_of() gives them.
  std::string version{};                ///< The sources that it uses.
  std::string row{};                    ///< Where it stands in the table: a label,
  std::string variant{};                ///< and a name.

  /// "bfs on storage with l1.bytes=64K"
  std::string title() const;
  /// With its size, the begin of its key, and its place in the table.
  std::string full_title() const;
};

/// An experiment's table: row by row a run for each variant that is simulated. Cells may have the
/// same run.
struct Plan {
  std::vector<RunRequest> cells{};
  std::optional<workload::Size> size{};  ///< That was asked for in place of the experiment's.
};

/// Resolves machines, sizes and counters. `size`, where it is given, takes the place of all sizes
/// in the experiment. Throws InputError for what cannot run or be measured.
Plan plan_runs(const Experiment& experiment, std::optional<workload::Size> size,
               const Sources& sources);

}  // namespace heddle::lab
