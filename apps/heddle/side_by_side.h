#pragma once

// Runs programs side by side on one chip until each has completed once. A program that completes
// before the others starts again, as in section 4.5 of Xiang's dissertation.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cycle.h"
#include "device/device.h"
#include "gpu/chip.h"
#include "machine_options.h"
#include "program_registers.h"

namespace heddle {

/// One run of a program from its beginning to its end.
struct CompleteRun {
  Cycle begin;  ///< The first cycle of its first launch.
  Cycle end;    ///< The end of its last launch.
  std::uint64_t launches = 0;
  /// The sum of the launches' durations, which is comparable with AloneRun::cycles(). Excludes the
  /// time between launches, so it may be less than `end - begin`.
  std::uint64_t launch_cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The run of a program alone on a chip.
struct AloneRun {
  gpu::Machine machine;
  std::vector<gpu::CounterName> counters;
  std::vector<gpu::KernelRun> launches;

  double ipc() const;
  double warp_ipc() const;
  std::uint64_t cycles() const;  ///< The sum over the launches.
};

/// What one of the programs did.
struct ProgramResult {
  ProgramChoice choice;
  std::vector<CompleteRun> runs;  ///< At least one.
  /// The result of the first wrong run; if no run was wrong, of the first run.
  workload::RunResult result;
  std::uint64_t wrong_runs = 0;  ///< How many of `runs` had a wrong result.
  /// The instructions and the occupied cycles of all runs together, including the run that was
  /// unfinished at the end.
  gpu::SharedRun::Stream counts;
  std::optional<AloneRun> alone{};  ///< Empty if the program was not run alone.

  std::uint64_t warp_instructions() const;    ///< Of all runs, on all multiprocessors.
  std::uint64_t thread_instructions() const;  ///< Of all runs, on all multiprocessors.
  /// The number of complete runs plus the unfinished one as a fraction: its thread instructions
  /// divided by those of a mean complete run.
  double runs_including_partial() const;
};

struct SideBySideResult {
  gpu::SharedRun shared;  ///< The run of all programs together.
  std::vector<ProgramResult> programs;

  bool is_verified() const;  ///< Whether every complete run of every program was correct.
  /// The program's thread instructions per cycle, while the programs share the chip.
  double ipc(const ProgramResult& program) const;
  /// The program's warp instructions per cycle, while the programs share the chip.
  double warp_ipc(const ProgramResult& program) const;
  /// Thread IPC alone divided by thread IPC side by side. Empty if the program was not run alone.
  std::optional<double> slowdown(const ProgramResult& program) const;

  // The following are empty unless all programs were also run alone. A program's speed-up is its
  // IPC side by side divided by its IPC alone.
  /// The speed-ups' arithmetic mean. (In the literature, it is often their sum.)
  std::optional<double> weighted_speedup() const;
  std::optional<double> harmonic_speedup() const;  ///< The speed-ups' harmonic mean.
  std::optional<double> fairness() const;  ///< The smallest slowdown divided by the greatest.
};

struct SideBySideOptions {
  std::vector<ProgramChoice> programs;
  lab::RegisterChoice registers;
  device::DeviceOptions device{};  ///< Common to all programs.
  gpu::ChipOptions chip{};         ///< For the chips on which programs run alone.
  bool run_each_alone = true;      ///< Whether each program is also run alone.
  /// The machine on which each program runs alone; empty: the machine that the programs share.
  std::vector<gpu::Machine> machines_alone{};
  /// Called at the start of each phase of the simulation with its name; may be empty.
  std::function<void(const std::string& phase)> progress{};
};

/// Throws InputError and exec::SimulatedFault; their messages name the program.
SideBySideResult run_side_by_side(gpu::Chip& chip, const SideBySideOptions& options);

/// A program's name in messages: "program 2 (bfs)" for index 1.
std::string name_of_program(std::size_t index, const ProgramChoice& program);

}  // namespace heddle
