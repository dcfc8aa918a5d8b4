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
  std::string key{};
  const workload::Workload* workload = nullptr;  ///< The first program's if several run.
  std::string programs{};  ///< Side by side: "scan+bfs"; empty: one workload runs.
  /// The machines on which the programs also run alone, one for each; empty: on `machine`.
  std::vector<gpu::Machine> machines_alone{};
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  RegisterChoice registers{};
  workload::GridChoice grid = workload::GridChoice::input;
  gpu::Machine machine{};
  std::vector<std::string> settings{};  ///< Changes to the machine, for messages.
  std::string parameters{};             ///< parameters_of() the machine.
  std::string version{};                ///< Sources::version_of() the machine.
  std::string row{};                    ///< The label of the run's row in the table.
  std::string variant{};                ///< The name of the run's column.
  bool has_other_seeds = false;         ///< The experiment has the same run with other seeds, too.

  /// "bfs", "scan+bfs"
  const std::string& workload_name() const { return programs.empty() ? workload->name : programs; }
  /// "bfs on storage with l1.bytes=64K"
  std::string title() const;
  /// The title with size, seed, row, variant and abbreviated key.
  std::string full_title() const;
};

/// Options of the command line that override an experiment's values.
struct Choices {
  std::optional<workload::Size> size{};  ///< For all workloads.
  std::optional<std::uint64_t> seeds{};  ///< Number of seeds.
  std::vector<std::string> settings{};   ///< For every run's machine, after all other settings.
};

/// The runs of an experiment's table: for each seed, row by row, one run for each simulated
/// variant. Several cells may have the same run.
struct Plan {
  std::vector<RunRequest> cells{};
  std::uint64_t seeds = 1;
  Choices choices{};
  std::optional<energy::Technology> technology{};  ///< Present if the experiment names one.
};

/// Resolves machines, sizes and counters. Throws InputError if a run or a measurement is
/// impossible.
Plan plan_runs(const Experiment& experiment, const Choices& choices, const Sources& sources);

}  // namespace heddle::lab
