#pragma once

// An experiment: which workloads run on which variants of a machine, what is measured, and what a
// paper claims about the result. docs/laboratory.md describes the format of its file.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/chart.h"
#include "lab/claim.h"
#include "lab/mean.h"
#include "lab/metric.h"
#include "lab/registers.h"
#include "lab/suite.h"
#include "workload/program_choice.h"
#include "workload/workload.h"

namespace heddle::lab {

/// The maximum number of seeds, chosen arbitrarily: more would take too long to be useful.
inline constexpr std::uint64_t kMaxSeeds = 100;

/// One row of the table.
struct Row {
  std::string label{};
  const workload::Workload* workload = nullptr;  ///< That of the first program if several run.
  /// Programs that run side by side: "scan+bfs:tiny". Empty if the row has one workload.
  std::string programs{};
  workload::Size size = workload::Size::small;
  RegisterChoice registers{};
  workload::GridChoice grid = workload::GridChoice::input;
  std::string group{};                  ///< The group whose mean includes the row; empty: none.
  std::vector<std::string> settings{};  ///< Machine settings for this row only.
  /// Names of variants, and of others whose runs this row shows in their columns.
  std::vector<std::pair<std::string, std::string>> substitutes{};

  /// The variant whose run the row shows in the column of another; null if it shows the column's.
  const std::string* substitute_of(std::string_view variant) const;
};

/// A workload that a variant runs in place of a row's.
struct OtherWorkload {
  std::string text;  ///< As in the experiment: "scan", or "scan:small:registers=16".
  /// What the text leaves out is the row's. Registers are empty if they are the row's.
  workload::ProgramChoice program{};
};

/// One column of the table.
struct Variant {
  std::string name;
  std::string machine{};  ///< The argument of gpu::load_machine.
  std::vector<std::string> settings{};
  /// The workloads that replace those of some rows, by the rows' labels.
  std::map<std::string, OtherWorkload, std::less<>> workloads{};
  /// Names of other variants, the candidates. In each row, this variant shows the run of the
  /// candidate with the best value of the experiment's metric; it has no runs of its own. Empty:
  /// the variant is simulated.
  std::vector<std::string> best_of{};
  /// Another variant with as many candidates. If set, this variant does not compare its candidates:
  /// it shows the one at the place of the candidate that the other variant shows.
  std::string as_in{};
  bool is_hidden = false;  ///< Neither printed nor drawn; only a candidate of other variants.

  bool is_simulated() const { return best_of.empty(); }
  /// What the variant runs in a row with a single workload. Registers are empty if they are the
  /// row's.
  workload::ProgramChoice program_of(const Row& row) const {
    const auto found = workloads.find(row.label);
    if (found != workloads.end()) return found->second.program;
    return {.workload = row.workload, .size = row.size, .grid = row.grid};
  }
};

/// A machine on which one of several programs also runs alone. The program's slowdown is relative
/// to that run.
struct AloneMachine {
  std::string machine{};  ///< The argument of gpu::load_machine.
  std::vector<std::string> settings{};
};

struct Experiment {
  std::string name;  ///< The file's path below descriptions/experiments/, without ".toml".
  std::string file;  ///< The path of the file, for messages.
  std::string title{};
  std::string paper{};      ///< The paper that the experiment reproduces; empty: none.
  std::string figure{};     ///< The figure or table in the paper.
  std::uint64_t seed = 1;   ///< The first seed.
  std::uint64_t seeds = 1;  ///< Number of consecutive seeds with which every run is repeated.
  /// The suite that the file names, if any. Its programs that are workloads are the first rows.
  std::optional<Suite> suite{};
  std::vector<Row> rows{};
  std::vector<Variant> variants{};
  /// One for each program of a row that runs several programs side by side. Empty: each program
  /// runs alone on the variant's machine.
  std::vector<AloneMachine> machines_alone{};
  Metric metric{"ipc"};
  bool lower_is_better = false;
  std::string normalise_to{};  ///< The variant that values are divided by; empty: none.
  Mean mean = Mean::geometric;
  Chart chart{};
  std::vector<Part> parts{};  ///< Parts of a stacked chart, the lowest first.
  std::vector<Claim> claims{};
  /// The argument of energy::load_technology; empty: energy is not measured.
  std::string technology{};

  /// The index of a variant by its name. Throws std::logic_error if there is none.
  std::size_t variant_index(std::string_view name) const;
  /// Indices of the simulated variants; a row has a run for each of them.
  std::vector<std::size_t> simulated_variants() const;
  /// The groups that rows name, each once, in the order of the rows.
  std::vector<std::string> groups() const;
};

/// Reads an experiment. Throws InputError with the position of a mistake in the file. Machines and
/// their settings are checked later, when the runs are planned.
Experiment read_experiment(std::string_view text, const std::string& name, const std::string& file);

struct KnownExperiment {
  std::string_view name;
  std::string_view text;
};
/// The experiments in descriptions/experiments/, which are embedded in the program, sorted by name.
const std::vector<KnownExperiment>& known_experiments();

/// Loads a built-in experiment by its name or, if `name` ends in ".toml", an experiment's file.
/// Throws InputError if there is none.
Experiment load_experiment(const std::string& name);

}  // namespace heddle::lab
