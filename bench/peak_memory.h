#pragma once

// Measures the peak memory of a timed run. Each run has a process of its own, because the peak of a
// process includes earlier runs.

#include <cstdint>
#include <string>

namespace heddle {

/// The result of a measured run.
struct PeakMemory {
  std::uint64_t bytes = 0;  ///< Peak resident set size.
  double seconds = 0;       ///< The elapsed time of all launches.
  bool passed = false;      ///< Whether the process succeeded and its result was correct.
};

/// Measures the workload, in size 'medium', on the simulated machine 'warpman' with one host
/// thread. Starts this program again with the arguments kReportPeakMemory and the workload's name.
/// In the started process, main() calls report_peak_memory().
PeakMemory peak_memory_of(const std::string& workload);

inline constexpr char kReportPeakMemory[] = "--tell-peak-memory-of";
/// Runs the workload in the started process, and prints what peak_memory_of() reads. Returns the
/// process's exit code.
int report_peak_memory(const std::string& workload);

}  // namespace heddle
