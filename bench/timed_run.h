#pragma once

// Runs one workload with timing on one simulated machine, and measures the time that this takes on
// the host.

#include <cstdint>

#include "gpu/machine.h"
#include "workload/workload.h"

namespace heddle {

/// The result of a run. Times are those of launches only: without copies, creation of the input,
/// compilation and the check of the result.
struct TimedRun {
  double seconds = 0;                   ///< Elapsed time on the host.
  double processor_seconds = 0;         ///< Processor time on the host, summed over its threads.
  std::uint64_t warp_instructions = 0;  ///< The simulated warp instructions.
  std::uint64_t cycles = 0;             ///< The simulated cycles, summed over launches.
  bool passed = false;                  ///< Whether the workload's result is correct.

  /// Host time per simulated warp instruction. It is processor time, which other programs on the
  /// host affect less than elapsed time.
  double nanoseconds_per_instruction() const {
    return 1e9 * processor_seconds / static_cast<double>(warp_instructions);
  }
};

/// Runs the workload. `threads` is the number of host threads.
TimedRun run_timed(const workload::Workload& workload, workload::Size size,
                   const gpu::Machine& machine, std::uint32_t threads = 1);

}  // namespace heddle
