#include "machine_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "energy_option.h"
#include "gpu/check_constructible.h"
#include "launch_progress.h"
#include "option_values.h"

namespace heddle {

void add_machine_choice(CLI::App& verb, MachineOptions& options) {
  verb.add_option("--machine", options.machine,
                  "The simulated GPU: a machine of 'heddle list machines', or a description file")
      ->type_name("NAME|FILE.toml")
      ->check(file_name());
  verb.add_option(
          "--set", options.settings,
          "Change a parameter of the machine, see 'heddle list parameters'; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_counters_option(CLI::App& verb, std::string& counters) {
  verb.add_option("--counters", counters,
                  "Counters in the JSON: 'sum' (default): sums over the chip; 'each': also the "
                  "counters of each multiprocessor and memory partition. Timed simulation only")
      ->type_name("sum|each");
}

bool wants_component_counters(const std::string& counters, const std::string& json) {
  if (counters.empty() || counters == "sum") return false;
  if (counters != "each") {
    throw InputError(
        fmt::format("--counters: unknown choice '{}'; choose one of: sum, each", counters));
  }
  if (json.empty())
    throw InputError("--counters each: needs --json, the file that contains the counters");
  return true;
}

void add_launch_options(CLI::App& verb, MachineOptions& options) {
  verb.add_option(
          "--threads", options.threads,
          "Number of host threads that simulate the chip (default 1). Results do not depend on it")
      ->type_name("N");
  add_limit_options(verb, options.limits);
}

void add_machine_options(CLI::App& verb, MachineOptions& options) {
  add_machine_choice(verb, options);
  add_counters_option(verb, options.counters);
  add_energy_option(verb, options.energy);
  add_launch_options(verb, options);
  verb.add_option("--lifetimes", options.lifetimes,
                  "Write the first and last cycle of each warp as CSV. Needs --machine")
      ->type_name("FILE.csv")
      ->check(file_name());
  add_sample_options(verb, options.samples);
  add_trace_options(verb, options.trace);
  add_locality_options(verb, options.locality);
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
      chip(machine, with_trace(std::move(options))) {
  if (machine.locality.observe) {
    locality::Options measured = machine.locality.options();
    measured.coalescer = machine.sm.memory.coalescer.shape;
    locality = std::make_unique<locality::Recorder>(measured);
  }
  const std::uint32_t useful_threads = std::min(threads, machine.chip.sms);
  if (chip.host_threads() >= useful_threads) return;
  threads = chip.host_threads();
  say(fmt::format("only {} of {} host threads could be started; results are the same", threads,
                  useful_threads));
}

std::unique_ptr<TimedChip> make_chip(
    const MachineOptions& options, const std::string& json, Progress& progress,
    std::function<std::uint32_t(const code::FunctionInfo&)> registers) {
  gpu::ChipOptions chip{.registers = std::move(registers), .progress = LaunchProgress(progress)};
  chip.note_lifetimes = !options.lifetimes.empty();
  chip.count_by_component = wants_component_counters(options.counters, json);
  if (!options.threads.empty()) {
    chip.threads = static_cast<std::uint32_t>(
        parse_whole_number("--threads", options.threads, 1, kMaxHostThreads));
  }
  chip.max_cycles = parse_limits(options.limits).cycles;
  if (options.machine.empty()) {
    const char* const timed_only = !options.settings.empty()        ? "--set"
                                   : !options.threads.empty()       ? "--threads"
                                   : !options.limits.cycles.empty() ? "--max-cycles"
                                   : !options.lifetimes.empty()     ? "--lifetimes"
                                   : !options.counters.empty()      ? "--counters"
                                   : !options.energy.empty()        ? "--energy"
                                   : options.samples.given_option() != nullptr
                                       ? options.samples.given_option()
                                       : options.trace.given_option();
    if (timed_only != nullptr) {
      throw InputError(fmt::format(
          "{}: needs --machine; without it, the simulation is functional and has no cycles",
          timed_only));
    }
    return nullptr;
  }
  const gpu::Machine machine = gpu::load_machine(options.machine, options.settings);
  // Checked before make_trace() truncates an old trace.
  gpu::check_constructible(machine);
  const std::optional<EnergyRequest> energy = parse_energy(options.energy);
  std::optional<energy::Technology> technology;
  if (energy) technology = technology_for(*energy, machine);
  Sampling sampling = parse_sampling(options.samples, json, options.energy, machine);
  chip.sample_interval = Cycles(sampling.interval);
  auto timed = std::make_unique<TimedChip>(machine, options.settings, std::move(chip),
                                           make_trace(options.trace, machine));
  timed->technology = std::move(technology);
  if (energy) timed->listed_components = energy->listed;
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
