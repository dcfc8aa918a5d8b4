#include "machine_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "energy_option.h"
#include "gpu/refuse_impossible.h"
#include "launch_progress.h"
#include "option_values.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMostThreads = 256;

}  // namespace

void add_machine_choice(CLI::App& verb, MachineOptions& options) {
  verb.add_option("--machine", options.machine,
                  "The simulated GPU: one that 'heddle list machines' shows, or the file of a "
                  "description")
      ->type_name("NAME|FILE.toml")
      ->check(file_name());
  verb.add_option("--set", options.settings,
                  "Change a parameter of the machine; 'heddle list parameters' shows all; may be "
                  "repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_counters_option(CLI::App& verb, std::string& counters) {
  verb.add_option("--counters", counters,
                  "What the JSON has of them: their sums over the chip, or besides those of each "
                  "multiprocessor and each partition of memory")
      ->type_name("sum|each");
}

bool counts_each(const std::string& counters, const std::string& json) {
  if (counters.empty() || counters == "sum") return false;
  if (counters != "each") {
    throw InputError(fmt::format("--counters: 'sum' or 'each', not '{}'", counters));
  }
  if (json.empty())
    throw InputError("--counters each: they go to the JSON; name its file (--json)");
  return true;
}

void add_launch_options(CLI::App& verb, MachineOptions& options) {
  verb.add_option("--threads", options.threads,
                  "Of the host, to simulate with (1 if not given); changes no result")
      ->type_name("N");
  add_limit_options(verb, options.limits);
}

void add_machine_options(CLI::App& verb, MachineOptions& options) {
  add_machine_choice(verb, options);
  add_counters_option(verb, options.counters);
  add_energy_option(verb, options.energy);
  add_launch_options(verb, options);
  verb.add_option("--lifetimes", options.lifetimes,
                  "Write when each warp began and ended, and how much is wasted by warps that wait "
                  "for their block's others")
      ->type_name("FILE.csv")
      ->check(file_name());
  add_sample_options(verb, options.samples);
  add_trace_options(verb, options.trace);
}

std::unique_ptr<TraceOutput> make_trace(const TraceOptions& options, const gpu::Machine& machine) {
  check_trace(options, machine.chip.sms);
  return options.file.empty() ? nullptr : std::make_unique<TraceOutput>(options, machine.chip.sms);
}

void finish_trace(const TimedChip* timed) {
  if (timed != nullptr && timed->trace) timed->trace->finish();
}

TimedChip::TimedChip(const gpu::Machine& machine, std::vector<std::string> changed,
                     gpu::ChipOptions options, std::unique_ptr<TraceOutput> output)
    : settings(std::move(changed)),
      threads(options.threads),
      trace(std::move(output)),
      chip(machine, traced(std::move(options))) {
  const std::uint32_t of_use = std::min(threads, machine.chip.sms);
  if (chip.host_threads() >= of_use) return;
  threads = chip.host_threads();
  say(fmt::format("only {} of {} host threads could be started; results are the same", threads,
                  of_use));
}

std::unique_ptr<TimedChip> make_chip(
    const MachineOptions& options, const std::string& json, Progress& progress,
    std::function<std::uint32_t(const code::FunctionInfo&)> registers) {
  gpu::ChipOptions chip{.registers = std::move(registers), .progress = LaunchProgress(progress)};
  chip.note_lifetimes = !options.lifetimes.empty();
  chip.count_each = counts_each(options.counters, json);
  if (!options.threads.empty()) {
    chip.threads = static_cast<std::uint32_t>(
        parse_whole_number("--threads", options.threads, 1, kMostThreads));
  }
  chip.max_cycles = parse_limits(options.limits).cycles;
  if (options.machine.empty()) {
    const char* const alone = !options.settings.empty()            ? "--set"
                              : !options.threads.empty()           ? "--threads"
                              : !options.limits.cycles.empty()     ? "--max-cycles"
                              : !options.lifetimes.empty()         ? "--lifetimes"
                              : !options.counters.empty()          ? "--counters"
                              : !options.energy.empty()            ? "--energy"
                              : options.samples.given() != nullptr ? options.samples.given()
                                                                   : options.trace.given();
    if (alone != nullptr) {
      throw InputError(fmt::format("{}: there is no time without --machine", alone));
    }
    return nullptr;
  }
  const gpu::Machine machine = gpu::load_machine(options.machine, options.settings);
  // Before the trace is begun anew.
  gpu::refuse_impossible(machine);
  std::optional<energy::Technology> technology = technology_for(options.energy, machine);
  Sampling sampling = parse_sampling(options.samples, json, options.energy, machine);
  chip.sample_interval = Cycles(sampling.interval);
  auto timed = std::make_unique<TimedChip>(machine, options.settings, std::move(chip),
                                           make_trace(options.trace, machine));
  timed->technology = std::move(technology);
  timed->sampling = std::move(sampling);
  return timed;
}

std::string lifetimes_text(const std::vector<gpu::KernelRun>& runs) {
  std::string text = "launch,kernel,block,warp,sm,begin,end\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const sm::WarpLifetime& warp : runs[i].lifetimes) {
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", i, runs[i].kernel, warp.block, warp.warp, warp.sm,
                      (warp.begin - runs[i].begin).count, (warp.end - runs[i].begin).count);
    }
  }
  return text;
}

}  // namespace heddle
