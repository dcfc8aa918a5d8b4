#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "base/output_file.h"
#include "compare/comparison.h"
#include "json_output.h"
#include "option_values.h"
#include "print.h"
#include "text_table.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

// Without --all, smaller changes are left out.
constexpr double kLeastSlots = 0.005;
constexpr std::size_t kMostCounters = 15;

struct CompareOptions {
  std::string before;
  std::string after;
  bool all = false;
  std::string json;
};

std::string number_text(double value) { return fmt::format("{:.15g}", value); }
std::string share_text(double share) { return fmt::format("{:.1f} %", share * 100); }

Rows summary_rows(const SavedRun& before, const SavedRun& after) {
  const auto instructions_per_cycle = [](const SavedCounts& counts) {
    return counts.cycles == 0 ? 0 : counts.warp_instructions / counts.cycles;
  };
  const double ipc[] = {instructions_per_cycle(before.all), instructions_per_cycle(after.all)};
  Rows rows{{"", "A", "B", "CHANGE"},
            {"cycles", number_text(before.all.cycles), number_text(after.all.cycles),
             change_text(before.all.cycles, after.all.cycles)},
            {"warp instructions", number_text(before.all.warp_instructions),
             number_text(after.all.warp_instructions),
             change_text(before.all.warp_instructions, after.all.warp_instructions)},
            {"IPC of warps", fmt::format("{:.4g}", ipc[0]), fmt::format("{:.4g}", ipc[1]),
             change_text(ipc[0], ipc[1])}};
  if (before.all.joules != 0 && after.all.joules != 0) {
    rows.push_back({"energy", fmt::format("{:.4g} uJ", before.all.joules * 1e6),
                    fmt::format("{:.4g} uJ", after.all.joules * 1e6),
                    change_text(before.all.joules, after.all.joules)});
  }
  return rows;
}

void print_what_ran(const SavedRun& before, const SavedRun& after) {
  print("A: {}: {}\nB: {}: {}\n", before.file, before.program, after.file, after.program);
  const std::vector<ChangedParameter> changed = changed_parameters(before, after);
  if (changed.empty()) {
    print("The machines are the same.\n\n");
    return;
  }
  Rows rows{{"PARAMETER", "A", "B"}};
  for (const ChangedParameter& each : changed) rows.push_back({each.name, each.before, each.after});
  print("\n");
  print_table(rows);
  print("\n");
}

void print_slots(const CompareOptions& options, const SavedRun& before, const SavedRun& after) {
  Rows rows{{"ISSUE SLOTS", "A", "B", "CHANGE"}};
  for (const ChangedValue& slot : changed_slots(before.all, after.all)) {
    const double change = slot.after - slot.before;
    if (!options.all && std::abs(change) < kLeastSlots) continue;
    rows.push_back({slot.name, share_text(slot.before), share_text(slot.after),
                    fmt::format("{:+.1f} points", change * 100)});
  }
  if (rows.size() == 1) return;
  print("\n");
  print_table(rows);
}

void print_kernels(const SavedRun& before, const SavedRun& after) {
  if (before.kernels.size() < 2 && after.kernels.size() < 2) return;
  Rows rows{{"CYCLES OF KERNEL", "A", "B", "CHANGE"}};
  for (const ChangedValue& kernel : changed_kernels(before, after)) {
    rows.push_back({kernel.name, number_text(kernel.before), number_text(kernel.after),
                    change_text(kernel.before, kernel.after)});
  }
  if (rows.size() == 1) return;
  print("\n");
  print_table(rows);
}

void print_counters(const CompareOptions& options, const SavedRun& before, const SavedRun& after) {
  std::vector<ChangedValue> counters = changed_counters(before.all, after.all);
  // Those of the schedulers are the issue slots above.
  std::erase_if(counters, [](const ChangedValue& c) { return c.name.starts_with("scheduler."); });
  if (counters.empty()) return;
  Rows rows{{"COUNTER", "A", "B", "CHANGE"}};
  for (const ChangedValue& counter : counters) {
    if (!options.all && rows.size() > kMostCounters) break;
    rows.push_back({counter.name, number_text(counter.before), number_text(counter.after),
                    change_text(counter.before, counter.after)});
  }
  print("\n");
  print_table(rows);
  if (const std::size_t left = counters.size() + 1 - rows.size(); left != 0) {
    print("and {} more; --all shows them\n", left);
  }
}

ordered_json values_to_json(const std::vector<ChangedValue>& values) {
  ordered_json list = ordered_json::array();
  for (const ChangedValue& value : values) {
    list.push_back({{"name", value.name}, {"a", value.before}, {"b", value.after}});
  }
  return list;
}

ordered_json comparison_to_json(const SavedRun& before, const SavedRun& after) {
  ordered_json parameters = ordered_json::array();
  for (const ChangedParameter& each : changed_parameters(before, after)) {
    parameters.push_back({{"name", each.name}, {"a", each.before}, {"b", each.after}});
  }
  return {
      {"schema", "heddle-comparison-1"},
      {"a", {{"file", before.file}, {"program", before.program}, {"cycles", before.all.cycles}}},
      {"b", {{"file", after.file}, {"program", after.program}, {"cycles", after.all.cycles}}},
      {"parameters", std::move(parameters)},
      {"issue_slot_shares", values_to_json(changed_slots(before.all, after.all))},
      {"kernel_cycles", values_to_json(changed_kernels(before, after))},
      {"counters", values_to_json(changed_counters(before.all, after.all))}};
}

void compare(const CompareOptions& options) {
  const SavedRun before = read_saved_run(options.before);
  const SavedRun after = read_saved_run(options.after);
  if (!options.json.empty()) {
    write_json(comparison_to_json(before, after), OutputFile(options.json));
    if (options.json == "-") return;
  }
  print_what_ran(before, after);
  print_table(summary_rows(before, after));
  print_slots(options, before, after);
  print_kernels(before, after);
  print_counters(options, before, after);
}

}  // namespace

void add_compare(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("compare", "Show what differs between the results of two timed runs");
  auto options = std::make_shared<CompareOptions>();
  for (auto [name, file] : {std::pair("A", &options->before), std::pair("B", &options->after)}) {
    verb->add_option(name, *file, "A file that --json of 'heddle run', 'exec' or 'cuda' wrote")
        ->required()
        ->type_name("FILE.json")
        ->check(file_name());
  }
  verb->add_flag("--all", options->all, "Show every difference");
  verb->add_option("--json", options->json,
                   "Write every difference as JSON; '-' for standard output, without the text")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "Differences are in this order: parameters of the machine, cycles, issue slots (their\n"
      "shares; half a point or more), kernels (by cycles), and the 15 counters that changed\n"
      "most, of those that reach one for each thousand warp instructions.\n\n"
      "Example: heddle run bfs --machine preexec --json a.json\n"
      "         heddle run bfs --machine preexec --set l1.bytes=64K --json b.json\n"
      "         heddle compare a.json b.json");
  verb->callback([options] { compare(*options); });
}

}  // namespace heddle
