#pragma once

// A timed run of one workload on one machine, and its cost on the host.

#include <cstdint>

#include "gpu/machine.h"
#include "workload/workload.h"

namespace heddle {

struct TimedRun {
  double seconds = 0;            ///< In launches only: no copies, input, compilation or check.
  double processor_seconds = 0;  ///< In launches, summed over all threads.
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;
  bool passed = false;

  /// Uses processor time, which other programs on the host affect less than elapsed time.
  double nanoseconds_per_instruction() const {
    return 1e9 * processor_seconds / static_cast<double>(warp_instructions);
  }
};

TimedRun run_timed(const workload::Workload& workload, workload::Size size,
                   const gpu::Machine& machine, std::uint32_t threads = 1);

}  // namespace heddle
