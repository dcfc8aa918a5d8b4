#pragma once

// One workload in time on one machine, and what that took of the host.

#include <cstdint>

#include "gpu/machine.h"
#include "workload/workload.h"

namespace heddle {

struct TimedRun {
  double seconds = 0;            ///< In launches: without copies, input, compilation and check.
  double processor_seconds = 0;  ///< Of the same, what all threads together took.
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;
  bool passed = false;

  /// In processor time, which other programs on the host change less than they do the clock's.
  double nanoseconds_per_instruction() const {
    return 1e9 * processor_seconds / static_cast<double>(warp_instructions);
  }
};

TimedRun run_in_time(const workload::Workload& workload, workload::Size size,
                     const gpu::Machine& machine, std::uint32_t threads = 1);

}  // namespace heddle
