#pragma once

// Programs side by side on one chip, until each has run to its end once: those that are done before
// start again. As in section 4.5 of Xiang's dissertation.

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

/// One program's run from beginning to end.
struct CompleteRun {
  Cycle begin;  ///< Of its first launch.
  Cycle end;    ///< Of its last one.
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;  ///< Of its launches, added up: as a run alone has them.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The same program with a chip to itself.
struct AloneRun {
  gpu::Machine machine;
  std::vector<gpu::CounterName> counters;
  std::vector<gpu::KernelRun> launches;

  double ipc() const;
  double warp_ipc() const;
  std::uint64_t cycles() const;
};

struct ProgramResult {
  ProgramChoice choice;
  std::vector<CompleteRun> runs;  ///< At least one.
  workload::RunResult result;     ///< Of the first that was wrong; else of the first.
  std::uint64_t wrong_runs = 0;
  gpu::SharedRun::Stream stream;  ///< With the run that was under way in the end.
  std::optional<AloneRun> alone{};

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  /// How many times it ran, as far as instructions tell it of the last time.
  double runs_with_part() const;
};

struct SideBySide {
  gpu::SharedRun shared;
  std::vector<ProgramResult> programs;

  bool verified() const;
  double ipc(const ProgramResult& program) const;  ///< Of threads, over the shared time.
  double warp_ipc(const ProgramResult& program) const;
  /// IPC alone by IPC side by side, where the program was run alone.
  std::optional<double> slowdown(const ProgramResult& program) const;

  // Where all of them were:
  std::optional<double> weighted_speedup() const;  ///< Mean of IPC side by side by IPC alone.
  std::optional<double> harmonic_speedup() const;  ///< Harmonic mean of the same.
  std::optional<double> fairness() const;          ///< The least slowdown by the greatest.
};

struct SideBySideOptions {
  std::vector<ProgramChoice> programs;
  lab::Registers registers;
  device::DeviceOptions device{};  ///< Of each, but for what differs between them.
  gpu::ChipOptions chip{};         ///< Of the chips that programs have to themselves.
  bool alone = true;               ///< Whether they are run alone, too.
  /// The machines on which they are: one for each; empty: as side by side.
  std::vector<gpu::Machine> alone_on{};
  /// What is done, and of which program, if of one.
  std::function<void(const std::string& phase)> progress{};
};

/// Throws InputError and exec::SimulatedFault, which name the program.
SideBySide run_side_by_side(gpu::Chip& chip, const SideBySideOptions& options);

/// "program 2 (bfs)"
std::string name_of_program(std::size_t index, const ProgramChoice& program);

}  // namespace heddle
