#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "json_output.h"
#include "lab/measures.h"
#include "lab/run_key.h"
#include "lab/sources.h"
#include "lab/store.h"
#include "merge_stores.h"
#include "option_values.h"
#include "print.h"
#include "run_filter.h"
#include "store_option.h"
#include "stored_runs_csv.h"
#include "text_table.h"
#include "time_text.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

using lab::StoredRun;
using nlohmann::ordered_json;

constexpr std::uint64_t kMaxDays = 36500;  ///< About a century.

struct ResultsOptions {
  std::string store;
  lab::RunFilter filter;
  std::string key;
  std::vector<std::string> merged;
  std::string csv;
  std::string json;
  std::string technology;
  std::string older_than_days;
  bool other_versions = false;
  bool damaged = false;
  bool dry_run = false;
};

/// Opens the store for reading. Throws InputError if the filter has an unknown name.
lab::Store open(const ResultsOptions& options) {
  lab::Store store(options.store, lab::Access::read);
  check_filter(options.filter, store);
  return store;
}

/// Reports the runs `keys`, which are damaged and were left out. Returns ExitCode::check_failed if
/// there are any.
ExitCode report_damaged(const lab::Store& store, const std::vector<std::string>& keys) {
  if (keys.empty()) return ExitCode::done;
  for (const std::string& key : keys) say(fmt::format("run {} is damaged", key));
  say(
      fmt::format("{}: {} damaged run{} left out; experiments simulate them again, 'heddle results "
                  "prune --damaged' removes them",
                  store.file(), keys.size(), keys.size() == 1 ? " is" : "s are"));
  return ExitCode::check_failed;
}

/// Throws InputError if the run's result is not JSON.
ordered_json result_of(const StoredRun& run) {
  try {
    return ordered_json::parse(run.result);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("run {}: its result is damaged: {}", run.key, error.what()));
  }
}

ordered_json run_to_json(const StoredRun& run) {
  return {{"key", run.key},
          {"workload", run.workload},
          {"size", run.size},
          {"seed", run.seed},
          {"registers", run.registers},
          {"grid", run.grid},
          {"machine", run.machine},
          {"version", run.version},
          {"stored_at", time_text(run.stored_at)},
          {"host_seconds", run.host_seconds},
          {"result", result_of(run)}};
}

ExitCode list_runs(const ResultsOptions& options) {
  std::vector<std::vector<std::string>> rows{{"KEY", "WORKLOAD", "SIZE", "SEED", "REGISTERS",
                                              "GRID", "MACHINE", "CYCLES", "SIMULATED", "SECONDS",
                                              "HEDDLE"}};
  const lab::Store store = open(options);
  const std::vector<std::string> damaged =
      store.for_each(options.filter, [&](const StoredRun& run) {
        const lab::Measures measures = lab::Measures::from_result(run.result);
        rows.push_back({std::string(lab::short_key(run.key)), run.workload, run.size, run.seed,
                        run.registers, run.grid, run.machine,
                        fmt::format("{:.0f}", measures.find("cycles").value_or(0)),
                        time_text(run.stored_at), fmt::format("{:.2f}", run.host_seconds),
                        lab::sources().is_current(run.version) ? "this" : "another"});
      });
  print_table(rows);
  return report_damaged(store, damaged);
}

ExitCode show(const ResultsOptions& options) {
  ordered_json json{{"schema", "heddle-result-2"}};
  try {
    json.update(run_to_json(open(options).find(options.key)));
  } catch (const lab::DamagedRun& error) {
    say(error.what());
    return ExitCode::check_failed;
  }
  write_json(json, OutputFile("-"));
  return ExitCode::done;
}

void write_json_of(const std::vector<StoredRun>& runs, const OutputFile& file) {
  ordered_json json{{"schema", "heddle-results-2"}, {"runs", ordered_json::array()}};
  for (const StoredRun& run : runs) json["runs"].push_back(run_to_json(run));
  write_json(json, file);
}

ExitCode export_runs(const ResultsOptions& options) {
  if (options.csv.empty() && options.json.empty()) {
    throw InputError("results export: needs --csv or --json, with a file or '-'");
  }
  if (options.csv == "-" && options.json == "-") {
    throw InputError("results export: only one of --csv and --json can go to standard output");
  }
  std::optional<energy::Technology> technology;
  if (!options.technology.empty()) technology = energy::load_technology(options.technology);
  if (technology && options.csv.empty()) {
    throw InputError("results export: --energy needs --csv, to which it adds columns");
  }
  const lab::Store store = open(options);
  std::optional<OutputFile> csv;
  std::optional<OutputFile> json;
  if (!options.csv.empty()) csv.emplace(options.csv);
  if (!options.json.empty()) json.emplace(options.json);
  // The store is read once, so that both files contain the same runs even if other processes store
  // runs meanwhile.
  std::vector<StoredRun> runs;
  const std::vector<std::string> damaged =
      store.for_each(options.filter, [&](const StoredRun& run) { runs.push_back(run); });
  if (csv) csv->write(stored_runs_to_csv(runs, technology));
  if (json) write_json_of(runs, *json);
  return report_damaged(store, damaged);
}

ExitCode check_store(const ResultsOptions& options) {
  lab::Store::Health health;
  try {
    health = lab::Store(options.store, lab::Access::read).check();
  } catch (const lab::DamagedStore& error) {
    say(error.what());
    return ExitCode::check_failed;
  }
  for (const std::string& problem : health.file_problems) {
    say(fmt::format("{}: {}", options.store, problem));
  }
  for (const std::string& key : health.damaged_keys) say(fmt::format("run {} is damaged", key));
  const std::uint64_t checked =
      health.sound_runs + health.damaged_keys.size() - health.runs_without_checksum;
  print("{}: the file is {}; {} run{} checked, {} of them damaged", options.store,
        health.file_problems.empty() ? "sound" : "DAMAGED", checked, checked == 1 ? "" : "s",
        health.damaged_keys.size());
  if (health.runs_without_checksum > 0) {
    print(
        "; {} of an older Heddle get a checksum only when an experiment or 'results prune' opens "
        "the store",
        health.runs_without_checksum);
  }
  print("\n");
  const bool is_sound = health.file_problems.empty() && health.damaged_keys.empty();
  return is_sound ? ExitCode::done : ExitCode::check_failed;
}

/// The runs that 'results prune' removes. Throws InputError if the options select no runs or
/// conflict.
lab::RunFilter filter_of_prune(const ResultsOptions& options) {
  lab::RunFilter filter = options.filter;
  if (!options.older_than_days.empty()) {
    const std::uint64_t days =
        parse_whole_number("--older-than", options.older_than_days, 0, kMaxDays);
    const auto before = std::chrono::system_clock::now() - std::chrono::hours(24 * days);
    filter.stored_before = std::chrono::system_clock::to_time_t(before);
  }
  const bool has_filter = !filter.workload.empty() || !filter.size.empty() ||
                          !filter.machine.empty() || options.other_versions || filter.stored_before;
  if (options.damaged && has_filter) {
    throw InputError(
        "results prune --damaged: the fields of a damaged run are unreliable; leave out the other "
        "options");
  }
  if (!options.damaged && !has_filter) {
    throw InputError(
        "results prune: choose the runs with --other-versions, --workload, --size, --machine, "
        "--older-than or --damaged");
  }
  return filter;
}

/// Removes the runs that match the filter, or only counts them if `dry_run`. Returns their number.
std::uint64_t prune_matching(lab::Store& store, const lab::RunFilter& filter, bool dry_run) {
  if (!dry_run) return store.remove(filter);
  std::uint64_t count = 0;
  const auto damaged = store.for_each(filter, [&](const StoredRun&) { ++count; });
  return count + damaged.size();
}

ExitCode prune(const ResultsOptions& options) {
  lab::RunFilter filter = filter_of_prune(options);
  lab::Store store(options.store, options.dry_run ? lab::Access::read : lab::Access::change);
  check_filter(filter, store);
  std::uint64_t count = 0;
  if (options.damaged) {
    count = options.dry_run ? store.check().damaged_keys.size() : store.remove_damaged();
  } else if (options.other_versions) {
    for (const std::string& version : store.distinct_values(lab::Store::Column::version)) {
      if (lab::sources().is_current(version)) continue;
      filter.version = version;
      count += prune_matching(store, filter, options.dry_run);
    }
  } else {
    count = prune_matching(store, filter, options.dry_run);
  }
  print("{} run{} {}removed from {}\n", count, count == 1 ? "" : "s",
        options.dry_run ? "would be " : "", options.store);
  return ExitCode::done;
}

}  // namespace

void add_results(CLI::App& app, ExitCode& result) {
  CLI::App* verb = app.add_subcommand(
      "results",
      "Manage the stored results of experiments: list, show, export, merge, check, prune");
  verb->require_subcommand(1);
  verb->footer(
      "Examples: heddle results list --workload bfs\n"
      "          heddle results export --csv results.csv\n"
      "          heddle results merge from-alice.sqlite from-bob.sqlite\n"
      "          heddle results prune --other-versions --dry-run");
  auto options = std::make_shared<ResultsOptions>();
  const auto add = [&](const char* name, const char* meaning,
                       ExitCode (*function)(const ResultsOptions&)) {
    CLI::App* action = verb->add_subcommand(name, meaning);
    action->callback([options, function, &result] { result = function(*options); });
    add_store_option(*action, options->store);
    return action;
  };
  add_filter(*add("list", "List the runs, one line each", list_runs), options->filter);

  add("show", "Print the result of a run as JSON", show)
      ->add_option("key", options->key,
                   "The key of the run or the beginning of the key, as in 'results list'")
      ->required()
      ->type_name("KEY");

  CLI::App* export_action = add("export", "Write the results of runs to a file", export_runs);
  add_filter(*export_action, options->filter);
  export_action
      ->add_option("--csv", options->csv,
                   "Write CSV: a line for each run, a column for each counter; '-' for standard "
                   "output")
      ->type_name("FILE|-")
      ->check(file_name());
  export_action
      ->add_option(
          "--energy", options->technology,
          "Add columns of energy to the CSV, with a technology of 'heddle list energies' or "
          "a description file")
      ->type_name("TECHNOLOGY|FILE.toml");
  export_action
      ->add_option("--json", options->json,
                   "Write the complete results as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());

  add("merge", "Add the runs of other stores; their files are not changed",
      [](const ResultsOptions& chosen) { return merge_stores(chosen.merged, chosen.store); })
      ->add_option("files", options->merged, "The stores whose runs are added")
      ->required()
      ->type_name("FILE")
      ->check(file_name());

  add("check", "Check the checksum of every run and the integrity of the SQLite file", check_store);

  CLI::App* prune_action =
      add("prune", "Remove the runs that match all of the given options", prune);
  add_filter(*prune_action, options->filter);
  prune_action->add_flag(
      "--other-versions", options->other_versions,
      "Remove runs of other versions of Heddle, which this version does not use");
  prune_action
      ->add_option("--older-than", options->older_than_days,
                   "Remove runs that were stored more than this many days ago")
      ->type_name("DAYS");
  prune_action->add_flag("--damaged", options->damaged,
                         "Remove damaged runs: the file is rebuilt from the other runs");
  prune_action->add_flag("--dry-run", options->dry_run,
                         "Only print how many runs would be removed");
}

}  // namespace heddle
