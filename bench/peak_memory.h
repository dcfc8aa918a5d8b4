#pragma once

// Peak memory of a timed run. Each run has its own process, because a process keeps the memory that
// earlier runs used.

#include <cstdint>
#include <string>

namespace heddle {

struct PeakMemory {
  std::uint64_t bytes = 0;  ///< Peak resident set size.
  double seconds = 0;       ///< Spent in launches.
  bool passed = false;      ///< Also false if the process failed.
};

/// Measures the workload's size 'medium' on the machine 'warpman', with one thread. Starts this
/// program again with the two arguments for which main() calls report_peak_memory().
PeakMemory peak_memory_of(const std::string& workload);

inline constexpr char kReportPeakMemory[] = "--tell-peak-memory-of";
/// The child process's part: runs the workload and prints what peak_memory_of() reads. Returns the
/// exit code.
int report_peak_memory(const std::string& workload);

}  // namespace heddle
