#pragma once

// Machines whose threads travel together in different ways, for tests that none of that changes
// what a program computes.

#include <string>
#include <vector>

#include "gpu/chip_run.h"
#include "gpu/machine.h"
#include "gpu/sanitized.h"

namespace heddle::gpu::test {

struct WayToDiverge {
  std::string machine;
  Settings settings;

  Machine described() const { return load_machine(machine, settings); }
  std::string name() const {
    std::string text = machine;
    for (const std::string& setting : settings) text += " " + setting;
    return text;
  }
};

inline const Settings kMajority{"divergence.policy=dynamic-formation", "schedule.policy=majority"};
inline const Settings kPostDominator{"divergence.policy=dynamic-formation",
                                     "schedule.policy=post-dominator"};

inline Settings large_warps_of(int threads) {
  return {"divergence.policy=large-warp", "divergence.large_warp=" + std::to_string(threads)};
}

/// The machines that the ways below are of, each with a stack for every warp.
inline const std::vector<std::string> kStackMachines{"large-warps", "warpman", "preexec"};

/// A strict barrel, and machines of several schedulers with scoreboards. With sanitizers not every
/// size of large warps.
inline std::vector<WayToDiverge> ways_to_diverge() {
  std::vector<WayToDiverge> ways{
      {"large-warps",
       large_warps_of(96) + Settings{"schedule.policy=fetch-groups", "schedule.fetch_group=2",
                                     "divergence.memory_by_rows=false",
                                     "divergence.jumps_at_once=false"}},
      {"large-warps", kMajority},
      {"large-warps", kPostDominator},
      {"warpman", large_warps_of(768)},
      {"preexec", large_warps_of(256) + Settings{"divergence.memory_by_rows=false"}}};
  if (kSanitized) return ways;
  ways.insert(ways.end(), {{"large-warps", large_warps_of(64)},
                           {"large-warps", large_warps_of(256)},
                           {"large-warps", large_warps_of(1024)},
                           {"warpman", large_warps_of(64)}});
  return ways;
}

}  // namespace heddle::gpu::test
