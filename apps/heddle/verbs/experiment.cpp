#include "lab/experiment.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
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
#include "lab/runner.h"
#include "lab/stored_cells.h"
#include "option_values.h"
#include "print.h"
#include "progress.h"
#include "run_outputs.h"
#include "simulate_run.h"
#include "store_option.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMostJobs = 1024;

struct ExperimentOptions {
  std::string name;
  std::string size;
  std::string seeds;
  std::vector<std::string> settings;
  std::string jobs;
  /// Far more than a run of any experiment here takes, so that an endless one ends by itself.
  LimitOptions limits{.cycles = "30000000000", .instructions = "3000000000"};
  std::string store;
  std::string output;
};

struct StudyToRun {
  lab::Experiment experiment;
  lab::Plan plan;
};

/// What a name stands for: an experiment, all below a folder, or all.
std::vector<std::string> experiments_named(const std::string& wanted) {
  std::vector<std::string> names;
  for (const lab::KnownExperiment& known : lab::known_experiments()) {
    if (wanted == "all" || known.name == wanted || known.name.starts_with(wanted + "/")) {
      names.emplace_back(known.name);
    }
  }
  // A file, or a mistake that is reported when it is loaded.
  if (names.empty()) names.push_back(wanted);
  return names;
}

std::vector<StudyToRun> studies_of(const ExperimentOptions& options) {
  lab::Choices choices{.settings = options.settings};
  if (!options.size.empty()) choices.size = workload::parse_size(options.size);
  if (!options.seeds.empty()) {
    choices.seeds = parse_whole_number("--seeds", options.seeds, 1, lab::kMostSeeds);
  }
  std::vector<StudyToRun> studies;
  for (const std::string& name : experiments_named(options.name)) {
    lab::Experiment experiment = lab::load_experiment(name);
    lab::Plan plan = lab::plan_runs(experiment, choices, lab::sources());
    studies.push_back({std::move(experiment), std::move(plan)});
  }
  return studies;
}

std::string duration(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_text(const lab::RunnerProgress& now) {
  std::string text = fmt::format("{} of {} runs", now.done, now.total);
  if (now.seconds_left) text += fmt::format(", about {} left", duration(*now.seconds_left));
  if (!now.running.empty()) {
    text += fmt::format("; {}", now.running.front());
    if (now.running.size() > 1) text += fmt::format(" and {} more", now.running.size() - 1);
  }
  return text;
}

lab::RunnerReport run_all(const std::vector<StudyToRun>& studies, const ExperimentOptions& options,
                          lab::Store& store) {
  std::vector<const lab::RunRequest*> runs;
  for (const StudyToRun& study : studies) {
    for (const lab::RunRequest& run : study.plan.cells) runs.push_back(&run);
  }
  const std::uint64_t jobs = options.jobs.empty()
                                 ? std::max(std::thread::hardware_concurrency(), 1U)
                                 : parse_whole_number("--jobs", options.jobs, 1, kMostJobs);
  const lab::Simulate simulate = [limits = parse_limits(options.limits)](
                                     const lab::RunRequest& run, const std::stop_token& stop) {
    return simulate_run(run, stop, limits);
  };
  Progress progress;
  const Interrupt interrupt;
  return lab::run_missing(runs, store, simulate,
                          {.jobs = static_cast<std::uint32_t>(jobs),
                           .stop = interrupt.token(),
                           .progress = [&](const lab::RunnerProgress& now) {
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

/// The file of an experiment's results in a folder; `kind`: ".csv", say.
OutputFile file_in(const std::string& folder, const lab::Experiment& experiment, const char* kind) {
  // A name may have the folders of experiments/ in it.
  std::string name = experiment.name;
  std::replace(name.begin(), name.end(), '/', '-');
  return OutputFile((std::filesystem::path(folder) / (name + kind)).string());
}

/// So that nothing is simulated in vain.
void try_files(const std::vector<StudyToRun>& studies, const std::string& folder) {
  create_folder(folder);
  for (const StudyToRun& study : studies) {
    for (const char* const kind : {".json", ".csv", ".parts.csv", ".claims.csv"}) {
      file_in(folder, study.experiment, kind);
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

/// Of each suite once, however many studies run it.
void say_what_suites_lack(const std::vector<StudyToRun>& studies) {
  std::set<std::string> said;
  for (const StudyToRun& study : studies) {
    const std::optional<lab::Suite>& suite = study.experiment.suite;
    if (!suite || suite->present() == suite->size() || !said.insert(suite->name).second) continue;
    std::vector<std::string> absent;
    for (const lab::SuiteProgram& program : suite->programs) {
      if (program.workload == nullptr) absent.push_back(program.paper_name);
    }
    if (suite->unnamed != 0) {
      absent.push_back(fmt::format("{} that the paper does not name", suite->unnamed));
    }
    say(fmt::format("suite '{}': {} of its {} programs are run; not {}", suite->name,
                    suite->present(), suite->size(), fmt::join(absent, ", ")));
  }
}

/// Of what has failed, and of what was damaged. Returns the keys of those that failed.
std::set<std::string_view> say_what_went_wrong(const lab::RunnerReport& done) {
  std::set<std::string_view> failed;
  for (const lab::RunRequest* run : done.damaged) {
    say(fmt::format("{}: its stored result was damaged; it is simulated again", run->full_title()));
  }
  for (const lab::FailedRun& failure : done.failed) {
    say(fmt::format("{}: {}", failure.run->full_title(), failure.message));
    failed.insert(failure.run->key);
  }
  return failed;
}

/// Of cells that are empty though nothing failed. Returns how many there are.
std::size_t say_what_is_lost(const StudyToRun& study, const lab::StoredCells& cells,
                             const std::set<std::string_view>& failed) {
  std::size_t count = 0;
  for (const lab::LostRun& lost : cells.lost) {
    if (failed.contains(lost.run->key)) continue;
    say(fmt::format("{}: {}: {}", study.experiment.name, lost.run->full_title(), lost.why));
    ++count;
  }
  return count;
}

ExitCode run_experiments(const ExperimentOptions& options) {
  const std::vector<StudyToRun> studies = studies_of(options);
  say_what_suites_lack(studies);
  if (!options.output.empty()) try_files(studies, options.output);
  lab::Store store(options.store, lab::Access::create);
  const lab::RunnerReport done = run_all(studies, options, store);
  const std::set<std::string_view> failed = say_what_went_wrong(done);
  if (done.stopped) {
    say(
        fmt::format("interrupted; {} runs were simulated and are in {}. The same command goes on "
                    "from there",
                    done.simulated, options.store));
    return ExitCode::interrupted;
  }
  std::size_t lost = 0;
  for (const StudyToRun& study : studies) {
    lab::StoredCells cells = lab::read_cells(study.plan, store);
    lost += say_what_is_lost(study, cells, failed);
    const ExperimentReport report = make_report(study.experiment, study.plan, std::move(cells));
    if (!options.output.empty()) write_report(report, options.output);
    print_report(report);
    print("\n");
  }
  print("{} runs simulated, {} were in {}", done.simulated, done.found, options.store);
  if (!done.failed.empty()) print(", {} FAILED", done.failed.size());
  if (lost > 0) print(", {} LOST", lost);
  print("\n");
  return done.failed.empty() && lost == 0 ? ExitCode::done : ExitCode::check_failed;
}

/// What cannot be kept is not simulated.
ExitCode run_if_it_can_be_kept(const ExperimentOptions& options) {
  try {
    return run_experiments(options);
  } catch (const lab::ReadOnlyStore& error) {
    say(fmt::format("{}; it lacks runs of this experiment, so that nothing was simulated",
                    error.what()));
    return ExitCode::check_failed;
  }
}

}  // namespace

void add_experiment(CLI::App& app, ExitCode& result) {
  CLI::App* verb = app.add_subcommand(
      "experiment", "Run a study: workloads on variants of a machine, and what a paper says of it");
  auto options = std::make_shared<ExperimentOptions>();
  verb->add_option(
          "name", options->name,
          "One that 'heddle list experiments' shows, a folder of them, the file of one, or all")
      ->required()
      ->type_name("NAME|FOLDER|FILE.toml|all");
  verb->add_option("--size", options->size,
                   "Run all workloads in this size: tiny, small, medium, large, paper")
      ->type_name("SIZE");
  verb->add_option("--seeds", options->seeds,
                   "Do every run with so many seeds, show means and their spread, and judge claims "
                   "with each (as the study says, else 1)")
      ->type_name("N");
  verb->add_option("--set", options->settings,
                   "Change a parameter of every run's machine, after all else (repeatable); the "
                   "claims are about the unchanged one")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--jobs", options->jobs,
                   "Runs that are simulated at once (as many as the host has threads)")
      ->type_name("N");
  add_limit_options(*verb, options->limits);
  add_store_option(*verb, options->store);
  verb->add_option("-o", options->output,
                   "Also write the table and the claims as JSON and CSV to this folder")
      ->type_name("DIR")
      ->check(file_name());
  verb->footer(
      "Only what the store does not have is simulated; it can be interrupted, and the same "
      "command\n"
      "goes on. A claim of a paper that does not hold is reported, and is no failure: the exit "
      "code is 1\n"
      "only where a run failed, or cannot be kept.\n\n"
      "Example: heddle experiment schedulers --size tiny -o results");
  verb->callback([options, &result] { result = run_if_it_can_be_kept(*options); });
}

}  // namespace heddle
