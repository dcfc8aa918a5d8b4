#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/output_file.h"
#include "csv.h"
#include "json_output.h"
#include "lab/measures.h"
#include "lab/sources.h"
#include "lab/store.h"
#include "option_values.h"
#include "store_option.h"
#include "text_table.h"
#include "time_text.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

using lab::StoredRun;
using nlohmann::ordered_json;

constexpr std::size_t kShownDigits = 12;
constexpr std::uint64_t kMostDays = 36500;

struct Options {
  std::string store;
  lab::RunFilter filter;
  std::string key;
  std::string csv;
  std::string json;
  std::string older_than_days;
  bool other_versions = false;
  bool dry_run = false;
};

lab::Store open(const Options& options) { return {options.store, lab::Store::IfMissing::refuse}; }

ordered_json result_of(const StoredRun& run) {
  try {
    return ordered_json::parse(run.result);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("run {}: its result is damaged: {}", run.key, error.what()));
  }
}

ordered_json to_json(const StoredRun& run) {
  return {{"key", run.key},
          {"workload", run.workload},
          {"size", run.size},
          {"seed", run.seed},
          {"registers", run.registers},
          {"machine", run.machine},
          {"version", run.version},
          {"stored_at", time_text(run.stored_at)},
          {"host_seconds", run.host_seconds},
          {"result", result_of(run)}};
}

void list(const Options& options) {
  std::vector<std::vector<std::string>> rows{{"KEY", "WORKLOAD", "SIZE", "SEED", "REGISTERS",
                                              "MACHINE", "CYCLES", "SIMULATED", "SECONDS",
                                              "HEDDLE"}};
  open(options).for_each(options.filter, [&](const StoredRun& run) {
    const lab::Measures measures = lab::Measures::of_result(run.result);
    rows.push_back({run.key.substr(0, kShownDigits), run.workload, run.size, run.seed,
                    run.registers, run.machine,
                    fmt::format("{:.0f}", measures.find("cycles").value_or(0)),
                    time_text(run.stored_at), fmt::format("{:.2f}", run.host_seconds),
                    lab::sources().have(run.version) ? "this" : "another"});
  });
  print_table(rows);
}

void show(const Options& options) {
  ordered_json json{{"schema", "heddle-result-1"}};
  json.update(to_json(open(options).find(options.key)));
  write_json(json, OutputFile("-"));
}

void export_json(const Options& options, const lab::Store& store, const OutputFile& file) {
  ordered_json json{{"schema", "heddle-results-1"}, {"runs", ordered_json::array()}};
  store.for_each(options.filter,
                 [&](const StoredRun& run) { json["runs"].push_back(to_json(run)); });
  write_json(json, file);
}

void export_csv(const Options& options, const lab::Store& store, const OutputFile& file) {
  // Machines differ in what they count: the columns are those of all.
  std::set<std::string> names;
  store.for_each(options.filter, [&](const StoredRun& run) {
    const lab::Measures measures = lab::Measures::of_result(run.result);
    for (const auto& [name, value] : measures.all()) names.insert(name);
  });
  std::vector<std::string> heading{"key",     "workload", "size",      "seed",        "registers",
                                   "machine", "version",  "stored_at", "host_seconds"};
  heading.insert(heading.end(), names.begin(), names.end());
  std::string text = csv_line(heading);
  store.for_each(options.filter, [&](const StoredRun& run) {
    const lab::Measures measures = lab::Measures::of_result(run.result);
    std::vector<std::string> cells{run.key,
                                   run.workload,
                                   run.size,
                                   run.seed,
                                   run.registers,
                                   run.machine,
                                   run.version,
                                   time_text(run.stored_at),
                                   fmt::format("{}", run.host_seconds)};
    for (const std::string& name : names) {
      const std::optional<double> value = measures.find(name);
      cells.push_back(value ? fmt::format("{}", *value) : "");
    }
    text += csv_line(cells);
  });
  file.write(text);
}

void export_runs(const Options& options) {
  if (options.csv.empty() && options.json.empty()) {
    throw InputError("results export: give --csv or --json, and a file or '-'");
  }
  if (options.csv == "-" && options.json == "-") {
    throw InputError("results export: only one of --csv and --json can go to standard output");
  }
  const lab::Store store = open(options);
  std::optional<OutputFile> csv;
  std::optional<OutputFile> json;
  if (!options.csv.empty()) csv.emplace(options.csv);
  if (!options.json.empty()) json.emplace(options.json);
  if (csv) export_csv(options, store, *csv);
  if (json) export_json(options, store, *json);
}

void prune(const Options& options) {
  lab::RunFilter filter = options.filter;
  if (!options.older_than_days.empty()) {
    const std::uint64_t days =
        parse_whole_number("--older-than", options.older_than_days, 0, kMostDays);
    const auto before = std::chrono::system_clock::now() - std::chrono::hours(24 * days);
    filter.stored_before = std::chrono::system_clock::to_time_t(before);
  }
  if (filter.workload.empty() && filter.size.empty() && filter.machine.empty() &&
      !options.other_versions && !filter.stored_before) {
    throw InputError(
        "results prune: say which runs, with --other-versions, --workload, --size, --machine or "
        "--older-than");
  }
  lab::Store store = open(options);
  std::uint64_t count = 0;
  const auto prune_these = [&] {
    if (options.dry_run) {
      store.for_each(filter, [&](const StoredRun&) { ++count; });
    } else {
      count += store.remove(filter);
    }
  };
  if (options.other_versions) {
    for (const std::string& version : store.versions()) {
      if (lab::sources().have(version)) continue;
      filter.version = version;
      prune_these();
    }
  } else {
    prune_these();
  }
  fmt::print("{} run{} {}removed from {}\n", count, count == 1 ? "" : "s",
             options.dry_run ? "would be " : "", options.store);
}

void add_filter(CLI::App& verb, lab::RunFilter& filter) {
  verb.add_option("--workload", filter.workload, "Only runs of this one")->type_name("NAME");
  verb.add_option("--size", filter.size, "Only runs of this size")->type_name("SIZE");
  verb.add_option("--machine", filter.machine,
                  "Only runs on the machine of this name, whatever was set in it")
      ->type_name("NAME");
}

}  // namespace

void add_results(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand(
      "results", "Look at what experiments have simulated: list, show, export, prune");
  verb->require_subcommand(1);
  auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* meaning, void (*act)(const Options&)) {
    CLI::App* action = verb->add_subcommand(name, meaning);
    action->callback([options, act] { act(*options); });
    add_store_option(*action, options->store);
    return action;
  };
  add_filter(*add("list", "One line for each run", list), options->filter);

  add("show", "All that was counted in a run, as JSON", show)
      ->add_option("key", options->key, "The begin of its key, as the list has it")
      ->required()
      ->type_name("KEY");

  CLI::App* exports = add("export", "Write the results of runs to a file", export_runs);
  add_filter(*exports, options->filter);
  exports
      ->add_option("--csv", options->csv,
                   "A line for each run, a column for each counter; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  exports->add_option("--json", options->json, "All of each run; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());

  CLI::App* prunes = add("prune", "Remove the runs that all of the given options apply to", prune);
  add_filter(*prunes, options->filter);
  prunes->add_flag("--other-versions", options->other_versions,
                   "Those of another Heddle than this one, which nothing uses any more");
  prunes
      ->add_option("--older-than", options->older_than_days,
                   "Those that were simulated more than this many days ago")
      ->type_name("DAYS");
  prunes->add_flag("--dry-run", options->dry_run, "Only say how many there are");
}

}  // namespace heddle
