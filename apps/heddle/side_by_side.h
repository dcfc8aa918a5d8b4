#pragma once

// Runs programs side by side on one chip until each has completed once. A program that completes
// earlier starts again, as in section 4.5 of Xiang's dissertation.

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
  /// The sum of the launches' durations, comparable with a run alone. The time between launches is
  /// not included, so this may be less than `end - begin`.
  std::uint64_t launch_cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// A program that ran alone on a chip.
struct AloneRun {
  gpu::Machine machine;
  std::vector<gpu::CounterName> counters;
  std::vector<gpu::KernelRun> launches;

  double ipc() const;
  double warp_ipc() const;
  std::uint64_t cycles() const;  ///< The sum over the launches.
};

struct ProgramResult {
  ProgramChoice choice;
  std::vector<CompleteRun> runs;  ///< At least one.
  /// The result of the first wrong run; if no run was wrong, of the first run.
  workload::RunResult result;
  std::uint64_t wrong_runs = 0;
  /// What all runs together executed and occupied, including the run that was unfinished at the
  /// end.
  gpu::SharedRun::Stream counts;
  std::optional<AloneRun> alone{};

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  /// The number of complete runs plus the unfinished one as a fraction: its thread instructions
  /// divided by those of a mean complete run.
  double runs_including_partial() const;
};

struct SideBySideResult {
  gpu::SharedRun shared;
  std::vector<ProgramResult> programs;

  bool is_verified() const;  ///< Whether every complete run of every program was correct.
  double ipc(const ProgramResult& program) const;  ///< Thread instructions per shared cycle.
  double warp_ipc(const ProgramResult& program) const;
  /// Thread IPC alone divided by thread IPC side by side. Empty if the program was not run alone.
  std::optional<double> slowdown(const ProgramResult& program) const;

  // The following are empty unless all programs were run alone. A program's speed-up is its IPC
  // side by side divided by its IPC alone.
  std::optional<double> weighted_speedup() const;  ///< The speed-ups' arithmetic mean, not sum.
  std::optional<double> harmonic_speedup() const;  ///< The speed-ups' harmonic mean.
  std::optional<double> fairness() const;  ///< The smallest slowdown divided by the greatest.
};

struct SideBySideOptions {
  std::vector<ProgramChoice> programs;
  lab::RegisterChoice registers;
  device::DeviceOptions device{};  ///< Common to all programs.
  gpu::ChipOptions chip{};         ///< For the chips on which programs run alone.
  bool alone = true;               ///< Whether each program also runs alone.
  /// The machines of the runs alone, one for each program; empty: the machine that they share.
  std::vector<gpu::Machine> machines_alone{};
  /// Called at the start of each phase.
  std::function<void(const std::string& phase)> progress{};
};

/// Throws InputError and exec::SimulatedFault; their messages name the program.
SideBySideResult run_side_by_side(gpu::Chip& chip, const SideBySideOptions& options);

/// "program 2 (bfs)"
std::string name_of_program(std::size_t index, const ProgramChoice& program);

}  // namespace heddle
