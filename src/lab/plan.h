#pragma once

#include <optional>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/experiment.h"
#include "lab/sources.h"

namespace heddle::lab {

/// One requested run, with everything that determines it.
struct RunRequest {
  std::string key{};                             ///< run_key() of the run.
  const workload::Workload* workload = nullptr;  ///< That of the first program if several run.
  /// Programs that run side by side: "scan+bfs". Empty if one workload runs.
  std::string programs{};
  /// The machines on which the programs also run alone, one for each program; empty: on `machine`.
  std::vector<gpu::Machine> machines_alone{};
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  RegisterChoice registers{};
  workload::GridChoice grid = workload::GridChoice::input;
  gpu::Machine machine{};
  std::vector<std::string> settings{};  ///< Changes to the machine, for messages.
  std::string parameters{};             ///< The result of parameters_of() for the machine.
  std::string version{};                ///< The result of Sources::version_of() for the machine.
  std::string row{};                    ///< The label of the run's row in the table.
  std::string variant{};                ///< The name of the run's column.
  /// Whether the experiment has the same run with other seeds, too.
  bool has_other_seeds = false;

  /// The name of the workload or of the programs: "bfs", "scan+bfs".
  const std::string& workload_name() const { return programs.empty() ? workload->name : programs; }
  /// "bfs on storage with l1.bytes=64K"
  std::string title() const;
  /// The title with size, seed, row, variant and abbreviated key.
  std::string full_title() const;
};

/// Options of the command line that override values of an experiment.
struct Overrides {
  std::optional<workload::Size> size{};  ///< The size of all workloads.
  std::optional<std::uint64_t> seeds{};  ///< Number of seeds.
  /// Settings of every run's machine, applied after all others.
  std::vector<std::string> settings{};
  /// The only claims that are judged (restrict_to_claims()); empty: all of the experiment.
  std::vector<std::string> claims{};
};

/// The runs of an experiment's table: for each seed, row by row, one cell for each simulated
/// variant. Several cells may have the same run.
struct Plan {
  std::vector<RunRequest> cells{};
  std::uint64_t seeds = 1;
  Overrides overrides{};
  std::optional<energy::Technology> technology{};  ///< Present if the experiment names one.
};

/// Loads machines and chooses sizes. Throws InputError if a run is impossible, or if a machine
/// lacks a measure that the experiment uses.
Plan plan_runs(const Experiment& experiment, const Overrides& overrides, const Sources& sources);

}  // namespace heddle::lab
