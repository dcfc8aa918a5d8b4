#include "lab/experiment.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "experiment_json.h"
#include "experiment_report.h"
#include "interrupt.h"
#include "json_output.h"
#include "lab/restrict_to_claims.h"
#include "lab/runner.h"
#include "lab/stored_cells.h"
#include "option_values.h"
#include "print.h"
#include "progress.h"
#include "run_outputs.h"
#include "runner_text.h"
#include "simulate_run.h"
#include "store_option.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMaxJobs = 1024;

struct ExperimentOptions {
  std::vector<std::string> names;
  std::string size;
  std::string seeds;
  std::vector<std::string> settings;
  std::string jobs;
  /// These defaults end runs that would never end. They are far above what any built-in experiment
  /// needs.
  LimitOptions limits{.cycles = "30000000000", .instructions = "3000000000"};
  std::string store;
  std::string output;
  std::vector<std::string> claims;
  bool plan_only = false;
};

/// An experiment and the runs that its table needs.
struct PlannedExperiment {
  lab::Experiment experiment;
  lab::Plan plan;
};

/// The names of the experiments that `selections` denote, each once. A selection is one experiment,
/// all experiments of a folder, or all built-in experiments.
std::vector<std::string> names_of_experiments(const std::vector<std::string>& selections) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const std::string& selection : selections) {
    bool is_known = false;
    for (const lab::KnownExperiment& known : lab::known_experiments()) {
      if (selection != "all" && known.name != selection &&
          !known.name.starts_with(selection + "/")) {
        continue;
      }
      is_known = true;
      add(known.name);
    }
    // The selection names a file, or nothing. load_experiment() reports unknown names.
    if (!is_known) add(selection);
  }
  return names;
}

/// The experiments that the options name, with their runs.
std::vector<PlannedExperiment> plan_experiments(const ExperimentOptions& options) {
  lab::Overrides overrides{.settings = options.settings, .claims = options.claims};
  if (!options.size.empty()) overrides.size = workload::parse_size(options.size);
  if (!options.seeds.empty()) {
    overrides.seeds = parse_whole_number("--seeds", options.seeds, 1, lab::kMaxSeeds);
  }
  std::vector<PlannedExperiment> experiments;
  for (const std::string& name : names_of_experiments(options.names)) {
    lab::Experiment experiment = lab::load_experiment(name);
    if (!options.claims.empty()) lab::restrict_to_claims(experiment, options.claims);
    lab::Plan plan = lab::plan_runs(experiment, overrides, lab::sources());
    experiments.push_back({std::move(experiment), std::move(plan)});
  }
  return experiments;
}

std::vector<const lab::RunRequest*> runs_of(const std::vector<PlannedExperiment>& experiments) {
  std::vector<const lab::RunRequest*> runs;
  for (const PlannedExperiment& planned : experiments) {
    for (const lab::RunRequest& run : planned.plan.cells) runs.push_back(&run);
  }
  return runs;
}

std::uint32_t jobs_of(const ExperimentOptions& options) {
  if (options.jobs.empty()) return std::max(std::thread::hardware_concurrency(), 1U);
  return static_cast<std::uint32_t>(parse_whole_number("--jobs", options.jobs, 1, kMaxJobs));
}

/// Prints how many runs the store lacks, and how long they will take.
ExitCode print_forecast(const std::vector<PlannedExperiment>& experiments,
                        const ExperimentOptions& options, const lab::Store& store) {
  const std::uint32_t jobs = jobs_of(options);
  print("{}\n", forecast_text(lab::forecast(runs_of(experiments), store, jobs), jobs));
  return ExitCode::done;
}

/// Simulates the runs that the store lacks.
lab::RunnerReport run_all(const std::vector<PlannedExperiment>& experiments,
                          const ExperimentOptions& options, lab::Store& store) {
  const std::uint32_t jobs = jobs_of(options);
  const lab::Simulate simulate = [limits = parse_limits(options.limits)](
                                     const lab::RunRequest& run, const std::stop_token& stop) {
    return simulate_run(run, stop, limits);
  };
  Progress progress;
  const Interrupt interrupt;
  return lab::run_missing(
      runs_of(experiments), store, simulate,
      {.jobs = jobs,
       .stop = interrupt.token(),
       .begin = [&](const lab::RunnerForecast& forecast) { say(forecast_text(forecast, jobs)); },
       .progress =
           [&](const lab::RunnerProgress& now) {
             progress.show("simulating", progress_text(now));
           }});
}

void create_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(fmt::format("-o {}: cannot create the folder: {}", folder, error.message()));
  }
}

/// The file of an experiment's results in a folder. `suffix` is the end of its name, such as
/// ".csv".
OutputFile file_in(const std::string& folder, const lab::Experiment& experiment,
                   const char* suffix) {
  // The name of a built-in experiment contains its folder below descriptions/experiments/.
  std::string name = experiment.name;
  std::replace(name.begin(), name.end(), '/', '-');
  return OutputFile((std::filesystem::path(folder) / (name + suffix)).string());
}

/// Throws InputError if a file of results cannot be written, so that no simulation starts.
void check_output_files(const std::vector<PlannedExperiment>& experiments,
                        const std::string& folder) {
  create_folder(folder);
  for (const PlannedExperiment& planned : experiments) {
    for (const char* const suffix : {".json", ".csv", ".parts.csv", ".claims.csv"}) {
      file_in(folder, planned.experiment, suffix);
    }
  }
}

void write_report(const ExperimentReport& report, const std::string& folder) {
  const lab::Experiment& experiment = *report.experiment;
  std::vector<Write> writes{
      [&] { write_json(report_to_json(report), file_in(folder, experiment, ".json")); },
      [&] { file_in(folder, experiment, ".csv").write(table_to_csv(report)); }};
  if (!experiment.parts.empty()) {
    writes.emplace_back(
        [&] { file_in(folder, experiment, ".parts.csv").write(parts_to_csv(report)); });
  }
  if (!report.claims.empty()) {
    writes.emplace_back(
        [&] { file_in(folder, experiment, ".claims.csv").write(claims_to_csv(report)); });
  }
  write_all(writes);
}

/// Reports, for each suite, the programs for which Heddle has no workload. Each suite is reported
/// once, even if several experiments use it.
void report_missing_programs(const std::vector<PlannedExperiment>& experiments) {
  std::set<std::string> reported;
  for (const PlannedExperiment& planned : experiments) {
    const std::optional<lab::Suite>& suite = planned.experiment.suite;
    if (!suite || suite->count_runnable() == suite->program_count() ||
        !reported.insert(suite->name).second) {
      continue;
    }
    std::vector<std::string> absent;
    for (const lab::SuiteProgram& program : suite->programs) {
      if (program.workload == nullptr) absent.push_back(program.paper_name);
    }
    if (suite->unnamed_programs != 0) {
      absent.push_back(
          fmt::format("{} programs that the paper does not name", suite->unnamed_programs));
    }
    say(fmt::format("suite '{}': runs {} of its {} programs; missing: {}", suite->name,
                    suite->count_runnable(), suite->program_count(), fmt::join(absent, ", ")));
  }
}

/// Reports failed runs, and stored results that were damaged. Returns the keys of the failed runs.
std::set<std::string_view> report_failures(const lab::RunnerReport& outcome) {
  std::set<std::string_view> failed;
  for (const lab::RunRequest* run : outcome.damaged_runs) {
    say(fmt::format("{}: the stored result was damaged; simulated again", run->full_title()));
  }
  for (const lab::FailedRun& failure : outcome.failed_runs) {
    say(fmt::format("{}: {}", failure.run->full_title(), failure.message));
    failed.insert(failure.run->key);
  }
  return failed;
}

/// Reports the runs without a result in the store, except the runs in `failed`, which are reported
/// already. Returns the number of runs that it reported.
std::size_t report_missing_runs(const PlannedExperiment& planned, const lab::StoredCells& cells,
                                const std::set<std::string_view>& failed) {
  std::size_t count = 0;
  for (const lab::MissingRun& missing : cells.missing_runs) {
    if (failed.contains(missing.run->key)) continue;
    say(fmt::format("{}: {}: {}", planned.experiment.name, missing.run->full_title(), missing.why));
    ++count;
  }
  return count;
}

ExitCode run_experiments(const ExperimentOptions& options) {
  const std::vector<PlannedExperiment> experiments = plan_experiments(options);
  if (options.plan_only) {
    return print_forecast(experiments, options, lab::Store(options.store, lab::Access::create));
  }
  report_missing_programs(experiments);
  if (!options.output.empty()) check_output_files(experiments, options.output);
  lab::Store store(options.store, lab::Access::create);
  const lab::RunnerReport outcome = run_all(experiments, options, store);
  const std::set<std::string_view> failed = report_failures(outcome);
  if (outcome.was_stopped) {
    say(
        fmt::format("interrupted; {} runs were simulated and are in {}; run the same command again "
                    "to continue",
                    outcome.runs_simulated, options.store));
    return ExitCode::interrupted;
  }
  std::size_t missing = 0;
  for (const PlannedExperiment& planned : experiments) {
    lab::StoredCells cells = lab::read_cells(planned.plan, store);
    missing += report_missing_runs(planned, cells, failed);
    const ExperimentReport report = make_report(planned.experiment, planned.plan, std::move(cells));
    if (!options.output.empty()) write_report(report, options.output);
    print_report(report);
    print("\n");
  }
  print("{} runs simulated, {} were in {}", outcome.runs_simulated, outcome.runs_found,
        options.store);
  if (!outcome.failed_runs.empty()) print(", {} FAILED", outcome.failed_runs.size());
  if (missing > 0) print(", {} MISSING", missing);
  print("\n");
  return outcome.failed_runs.empty() && missing == 0 ? ExitCode::done : ExitCode::check_failed;
}

/// Like run_experiments(), but if the store is read-only and lacks runs of the experiment,
/// simulates nothing and returns ExitCode::check_failed.
ExitCode run_unless_read_only(const ExperimentOptions& options) {
  try {
    return run_experiments(options);
  } catch (const lab::ReadOnlyStore& error) {
    say(fmt::format("{}, and it lacks runs of this experiment; nothing was simulated",
                    error.what()));
    return ExitCode::check_failed;
  }
}

}  // namespace

void add_experiment(CLI::App& app, ExitCode& result) {
  CLI::App* verb = app.add_subcommand(
      "experiment",
      "Run a study: workloads on variants of a machine, compared with a paper's claims");
  auto options = std::make_shared<ExperimentOptions>();
  verb->add_option(
          "names", options->names,
          "Experiments of 'heddle list experiments', folders of experiments, description files, or "
          "all")
      ->required()
      ->type_name("NAME|FOLDER|FILE.toml|all");
  verb->add_option(
          "--size", options->size,
          "Run all workloads in this size: tiny, small, medium, large or paper (default: the "
          "study's sizes)")
      ->type_name("SIZE");
  verb->add_option(
          "--seeds", options->seeds,
          "Run everything with N seeds of the generated inputs, show means with their spread, and "
          "judge claims for each seed (default: the study's number, else 1)")
      ->type_name("N");
  verb->add_option("--set", options->settings,
                   "Change a parameter of every run's machine, after the study's settings; may be "
                   "repeated. Claims are about the unchanged machine")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--claim", options->claims,
                   "Judge only this claim, without its other readings, and simulate only the runs "
                   "that it needs; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false);
  verb->add_option(
          "--jobs", options->jobs,
          "Number of runs that are simulated in parallel, each on one host thread (default: the "
          "number of the host's threads)")
      ->type_name("N");
  add_limit_options(*verb, options->limits);
  add_store_option(*verb, options->store);
  verb->add_option("-o", options->output,
                   "Write the table and the claims as JSON and CSV to this folder")
      ->type_name("DIR")
      ->check(file_name());
  verb->add_flag("--plan", options->plan_only,
                 "Simulate nothing; print how many runs the store lacks, and how long they will "
                 "take");
  verb->footer(
      "Runs that are in the store are not simulated again; after an interrupt, the same command\n"
      "continues. A claim that does not hold is reported and is not an error: the exit code is 1\n"
      "only if a run failed, or if the store lacks a run and cannot be written.\n\n"
      "Examples: heddle experiment schedulers --size tiny -o results\n"
      "          heddle experiment large-warps/figure-13 --size tiny --seeds 3");
  verb->callback([options, &result] { result = run_unless_read_only(*options); });
}

}  // namespace heddle
