#pragma once

// How long simulations take on this host, estimated from stored runs and from counts of
// instructions.

#include <optional>

#include "lab/instruction_counts.h"
#include "lab/plan.h"
#include "lab/store.h"

namespace heddle::lab {

/// The number of warp instructions that one host thread simulates in a second, if no run like the
/// expected one was measured. Three thousand runs of papers' experiments, with inputs above `tiny`
/// and on busy hosts, executed this number on average; on single machines it was from 0.1 to 1.3
/// million.
inline constexpr double kExpectedInstructionsPerSecond = 500'000;

/// Estimates the host time of runs.
class ExpectedDurations {
 public:
  ExpectedDurations(const Store& store, const InstructionCounts& counts)
      : measured_(store.host_seconds()), counts_(counts) {}

  /// The first of these that is known: the mean over stored runs with the same workload, size, grid
  /// and machine (by name); the mean over stored runs with the same workload, size and grid; the
  /// time that the workload's instructions take at kExpectedInstructionsPerSecond. Empty if none is
  /// known.
  std::optional<double> seconds(const RunRequest& run) const;

 private:
  std::optional<double> seconds_by_instructions(const RunRequest& run) const;

  std::map<MeasuredRuns, MeasuredTime> measured_;
  const InstructionCounts& counts_;
};

}  // namespace heddle::lab
