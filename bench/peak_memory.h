#pragma once

// The most memory that a run in time ever held. Each runs in a process of its own, as a process
// keeps what earlier runs have used.

#include <cstdint>
#include <string>

namespace heddle {

struct PeakMemory {
  std::uint64_t bytes = 0;  ///< Resident.
  double seconds = 0;       ///< In launches.
  bool passed = false;      ///< False as well where the process failed.
};

/// Of the workload's size 'medium' on the machine 'warpman', with one thread. Starts this program
/// again with the two arguments for which its main() calls tell_peak_memory().
PeakMemory peak_memory_of(const std::string& workload);

inline constexpr char kTellPeakMemory[] = "--tell-peak-memory-of";
/// What the process is to do: runs the workload and prints what peak_memory_of() reads. Returns the
/// exit code.
int tell_peak_memory(const std::string& workload);

}  // namespace heddle
