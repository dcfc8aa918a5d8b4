#pragma once

#include <optional>
#include <string>
#include <vector>

#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/experiment.h"
#include "lab/sources.h"

namespace heddle::lab {

/// One run that is asked for, with all that determines it.
struct RunRequest {
  std::string key{};
  const workload::Workload* workload = nullptr;  ///< Of several programs, the first.
  std::string programs{};                        ///< Those that run side by side, if several do.
  std::vector<gpu::Machine> alone{};  ///< Row's programs alone on these; none: on its own.
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  Registers registers{};
  workload::GridShape grid = workload::GridShape::input;
  gpu::Machine machine{};
  std::vector<std::string> settings{};  ///< What was changed in the machine, for people.
  std::string parameters{};             ///< The machine's, as parameters_of() gives them.
  std::string version{};                ///< The sources that it uses.
  std::string row{};                    ///< Where it stands in the table: a label,
  std::string variant{};                ///< and a name.
  bool one_of_seeds = false;            ///< Others of its cell have other seeds.

  /// "bfs", "scan+bfs"
  const std::string& workload_name() const { return programs.empty() ? workload->name : programs; }
  /// "bfs on storage with l1.bytes=64K"
  std::string title() const;
  /// With its size, the begin of its key, and its place in the table.
  std::string full_title() const;
};

/// What is asked for in place of what an experiment says.
struct Choices {
  std::optional<workload::Size> size{};  ///< Of all workloads.
  std::optional<std::uint64_t> seeds{};  ///< How many.
  std::vector<std::string> settings{};   ///< Of every run's machine, after all others.
};

/// An experiment's table: row by row a run for each variant that is simulated, and that for each
/// seed. Cells may have the same run.
struct Plan {
  std::vector<RunRequest> cells{};
  std::uint64_t seeds = 1;
  Choices choices{};
  std::optional<energy::Technology> technology{};  ///< Where the experiment names one.
};

/// Resolves machines, sizes and counters. Throws InputError for what cannot run or be measured.
Plan plan_runs(const Experiment& experiment, const Choices& choices, const Sources& sources);

}  // namespace heddle::lab
