#pragma once

// The options of a run in time, which several verbs share.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli_app.h"
#include "energy/technology.h"
#include "gpu/chip.h"
#include "limit_options.h"
#include "progress.h"
#include "sample_options.h"
#include "trace_options.h"

namespace heddle {

struct MachineOptions {
  std::string machine;  ///< Empty: no time.
  std::vector<std::string> settings;
  std::string threads;
  LimitOptions limits;
  std::string lifetimes;  ///< The file that they go to; empty: they are not noted.
  std::string counters;   ///< What --counters asks for.
  std::string energy;     ///< What --energy asks for; empty: nothing.
  SampleOptions samples;
  TraceOptions trace;
};

/// Declares --machine and --set.
void add_machine_choice(CLI::App& verb, MachineOptions& options);
/// Declares --counters: what of them the JSON has.
void add_counters_option(CLI::App& verb, std::string& counters);
/// Whether those of each component are asked for. Throws InputError for what is no choice, and
/// where there is no JSON for them to go to.
bool counts_each(const std::string& counters, const std::string& json);
/// Declares --threads, --max-cycles and --max-instructions.
void add_launch_options(CLI::App& verb, MachineOptions& options);
/// Declares those, --lifetimes, and those of samples and of a trace.
void add_machine_options(CLI::App& verb, MachineOptions& options);

/// A chip, and how it was asked for.
struct TimedChip {
  /// Of a machine that has been loaded, with what was changed in it.
  TimedChip(const gpu::Machine& machine, std::vector<std::string> changed, gpu::ChipOptions options,
            std::unique_ptr<TraceOutput> output = nullptr);

  std::vector<std::string> settings;   ///< What was changed in its machine, as "key=value".
  std::uint32_t threads;               ///< Of the host, as many as could be started.
  std::unique_ptr<TraceOutput> trace;  ///< Null where none was asked for.
  gpu::Chip chip;
  /// What its energy is accounted with; empty: it is not.
  std::optional<energy::Technology> technology{};
  Sampling sampling{};

 private:
  gpu::ChipOptions traced(gpu::ChipOptions options) {
    if (trace) options.trace = &trace->trace();
    return options;
  }
};

/// Ends the trace, where there is one. Throws InputError where it could not all be written.
void finish_trace(const TimedChip* timed);
/// The trace that is asked for, of a chip of so many multiprocessors; null where none is. Throws
/// InputError.
std::unique_ptr<TraceOutput> make_trace(const TraceOptions& options, const gpu::Machine& machine);

/// What --lifetimes asks for.
std::string lifetimes_text(const std::vector<gpu::KernelRun>& runs);

/// The chip that is asked for; null where there is to be no time. `progress` shows how far it is.
/// `registers` is as in gpu::ChipOptions. Throws InputError for a machine that is not known,
/// and for what has no meaning without one. `json` is where the result goes; empty: nowhere.
std::unique_ptr<TimedChip> make_chip(
    const MachineOptions& options, const std::string& json, Progress& progress,
    std::function<std::uint32_t(const code::FunctionInfo&)> registers = {});

}  // namespace heddle
