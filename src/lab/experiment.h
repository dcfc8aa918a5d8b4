#pragma once

// A study: which workloads run on which variants of a machine, what is measured, and what a paper
// says that comes out. docs/laboratory.md describes the file that it is read from.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/chart.h"
#include "lab/claim.h"
#include "lab/mean.h"
#include "lab/metric.h"
#include "lab/registers.h"
#include "lab/suite.h"
#include "workload/workload.h"

namespace heddle::lab {

/// More would take longer than anybody waits.
inline constexpr std::uint64_t kMostSeeds = 100;

/// One row of the table.
struct Row {
  std::string label{};
  const workload::Workload* workload = nullptr;  ///< Of several programs, the first.
  std::string programs{};  ///< Those that run side by side: "scan+bfs:tiny"; empty: one alone.
  workload::Size size = workload::Size::small;
  Registers registers{};
  workload::GridShape grid = workload::GridShape::input;
  std::string group{};                  ///< Empty: in none.
  std::vector<std::string> settings{};  ///< Of the machine, for this row alone.
};

/// One column of the table.
struct Variant {
  std::string name;
  std::string machine{};  ///< As gpu::load_machine takes it.
  std::vector<std::string> settings{};
  /// In each row it is the best of these other variants by the experiment's metric, and has no runs
  /// of its own. Empty: it is simulated.
  std::vector<std::string> best_of{};
  bool hidden = false;  ///< It is neither printed nor drawn; others are made of it.

  bool simulated() const { return best_of.empty(); }
};

/// The machine that a program of several is run alone on, for what it loses beside others.
struct AloneMachine {
  std::string machine{};  ///< As gpu::load_machine takes it.
  std::vector<std::string> settings{};
};

struct Experiment {
  std::string name;  ///< That of its file below experiments/, without ".toml".
  std::string file;  ///< For messages.
  std::string title{};
  std::string paper{};      ///< Empty: no paper's.
  std::string figure{};     ///< Of the paper.
  std::uint64_t seed = 1;   ///< The first.
  std::uint64_t seeds = 1;  ///< Every run is done with so many, one after another.
  /// The first rows are those of its programs that can be run.
  std::optional<Suite> suite{};
  std::vector<Row> rows{};
  std::vector<Variant> variants{};
  /// One for each of the programs that run side by side; none: alone on the variant's machine.
  std::vector<AloneMachine> alone{};
  Metric metric{"ipc"};
  bool lower_is_better = false;
  std::string normalise_to{};  ///< A variant; empty: values are shown as they are.
  Mean mean = Mean::geometric;
  Chart chart{};
  std::vector<Part> parts{};  ///< Of a stacked chart, the lowest first.
  std::vector<Claim> claims{};
  /// As energy::load_technology takes it; empty: nothing is said of energy.
  std::string technology{};

  std::size_t variant_index(std::string_view name) const;
  /// Those that are simulated: a row has a run for each.
  std::vector<std::size_t> simulated_variants() const;
  /// The groups that rows name, in their order.
  std::vector<std::string> groups() const;
};

/// Reads an experiment. Throws InputError with the place for what is not right in it; machines and
/// what is set in them are looked at when its runs are planned.
Experiment read_experiment(std::string_view text, const std::string& name, const std::string& file);

struct KnownExperiment {
  std::string_view name;
  std::string_view text;
};
/// Those of experiments/, which are part of the program, by name.
const std::vector<KnownExperiment>& known_experiments();

/// The experiment of a built-in name or, where `name` ends in ".toml", of a file.
Experiment load_experiment(const std::string& name);

}  // namespace heddle::lab
