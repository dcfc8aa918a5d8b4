#pragma once

// The options of a timed simulation, which several verbs share.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli_app.h"
#include "energy/technology.h"
#include "energy_option.h"
#include "gpu/chip.h"
#include "limit_options.h"
#include "locality/recorder.h"
#include "locality_options.h"
#include "progress.h"
#include "sample_options.h"
#include "trace_options.h"

namespace heddle {

/// The largest value of --threads.
inline constexpr std::uint64_t kMaxHostThreads = 256;

/// The values of the options as texts.
struct MachineOptions {
  std::string machine;                ///< Empty: functional simulation.
  std::vector<std::string> settings;  ///< The values of --set: "key=value".
  std::string threads;                ///< The value of --threads; empty: one thread.
  LimitOptions limits;
  std::string lifetimes;  ///< The file of --lifetimes; empty: lifetimes are not recorded.
  std::string counters;   ///< The value of --counters.
  std::string energy;     ///< The value of --energy; empty: energy is not reported.
  SampleOptions samples;
  TraceOptions trace;
  LocalityOptions locality;
};

/// Declares --machine and --set.
void add_machine_choice(CLI::App& verb, MachineOptions& options);
/// Declares --counters, which selects the counters that the JSON contains.
void add_counters_option(CLI::App& verb, std::string& counters);
/// Whether the value of --counters requests the counters of each component, that is, of each
/// multiprocessor and memory partition. Throws InputError for an unknown value, and if these
/// counters are requested without a JSON file to hold them.
bool wants_component_counters(const std::string& counters, const std::string& json);
/// Declares --threads, --max-cycles and --max-instructions.
void add_launch_options(CLI::App& verb, MachineOptions& options);
/// Declares all of the above, --energy, --lifetimes, and the options of samples, of a trace and of
/// locality.
void add_machine_options(CLI::App& verb, MachineOptions& options);

/// The chip of a timed simulation, with the options that it was made from.
struct TimedChip {
  /// `machine` already contains the changes that `changed` lists as "key=value".
  TimedChip(const gpu::Machine& machine, std::vector<std::string> changed, gpu::ChipOptions options,
            std::unique_ptr<TraceOutput> output = nullptr);

  std::vector<std::string> settings;  ///< Changes to the machine, as "key=value".
  /// The host threads that were requested; fewer if not all of them could be started.
  std::uint32_t threads;
  std::unique_ptr<TraceOutput> trace;  ///< Null if no trace was requested.
  gpu::Chip chip;
  /// The technology that energy is accounted with; empty: energy is not reported.
  std::optional<energy::Technology> technology{};
  ListedComponents listed_components = ListedComponents::large;
  Sampling sampling{};
  /// Null unless the machine requests a measurement of locality (locality.observe).
  std::unique_ptr<locality::Recorder> locality;

 private:
  gpu::ChipOptions with_trace(gpu::ChipOptions options) {
    if (trace) options.trace = &trace->trace();
    return options;
  }
};

/// Ends the trace, if `timed` is not null and has one. Throws InputError if a part of the trace
/// could not be written.
void finish_trace(const TimedChip* timed);
/// The trace that the options request; null if they request none. Throws InputError.
std::unique_ptr<TraceOutput> make_trace(const TraceOptions& options, const gpu::Machine& machine);

/// The content of the file of --lifetimes: CSV, one line for each warp.
std::string lifetimes_text(const std::vector<gpu::KernelRun>& runs);

/// The chip that the options request; null for a functional simulation. `progress` shows the
/// progress of its launches. `registers`: as in gpu::ChipOptions. `json`: the value of --json;
/// empty if it was not given. Throws InputError for an unknown machine, and for an option that
/// needs --machine if none is given.
std::unique_ptr<TimedChip> make_chip(
    const MachineOptions& options, const std::string& json, Progress& progress,
    std::function<std::uint32_t(const code::FunctionInfo&)> registers = {});

}  // namespace heddle
