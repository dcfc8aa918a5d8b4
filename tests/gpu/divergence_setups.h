#pragma once

// Machines with different divergence policies. With them, tests check that no policy changes the
// results of a program.

#include <string>
#include <vector>

#include "gpu/chip_run.h"
#include "gpu/machine.h"
#include "gpu/sanitized.h"

namespace heddle::gpu::test {

/// A built-in machine with some parameters changed.
struct DivergenceSetup {
  std::string machine;
  Settings settings;

  Machine load() const { return load_machine(machine, settings); }
  std::string name() const {
    std::string text = machine;
    for (const std::string& setting : settings) text += " " + setting;
    return text;
  }
};

// Dynamic warp formation with two of its scheduling policies.
inline const Settings kMajority{"divergence.policy=dynamic-formation", "schedule.policy=majority"};
inline const Settings kPostDominator{"divergence.policy=dynamic-formation",
                                     "schedule.policy=post-dominator"};

/// Large warps of `threads` threads each.
inline Settings large_warps_of(int threads) {
  return {"divergence.policy=large-warp", "divergence.large_warp=" + std::to_string(threads)};
}

/// The base machines of the setups below; each has one reconvergence stack per warp.
inline const std::vector<std::string> kStackMachines{"large-warps", "warpman", "preexec"};

/// A strict barrel, and machines with several schedulers and scoreboards. With sanitizers fewer
/// sizes of large warps.
inline std::vector<DivergenceSetup> divergence_setups() {
  std::vector<DivergenceSetup> setups{
      {"large-warps",
       large_warps_of(96) + Settings{"schedule.policy=fetch-groups", "schedule.fetch_group=2",
                                     "divergence.memory_by_rows=false",
                                     "divergence.single_cycle_jumps=false"}},
      {"large-warps", kMajority},
      {"large-warps", kPostDominator},
      {"warpman", large_warps_of(768)},
      {"preexec", large_warps_of(256) + Settings{"divergence.memory_by_rows=false"}}};
  if (kSanitized) return setups;
  setups.insert(setups.end(), {{"large-warps", large_warps_of(64)},
                               {"large-warps", large_warps_of(256)},
                               {"large-warps", large_warps_of(1024)},
                               {"warpman", large_warps_of(64)}});
  return setups;
}

}  // namespace heddle::gpu::test
