#pragma once

// A workload in time on a machine, and the figures by which machines are compared.

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/machine.h"
#include "workload/workload.h"

namespace heddle::demo {

struct SuiteRun {
  std::string workload;
  std::string machine;
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;
  double ipc = 0;                   ///< Thread instructions a cycle.
  std::optional<double> occupancy;  ///< Of the warps that there is room for.
  std::string lost_to;              ///< What took most of the issue slots without issue.
  double lost = 0;                  ///< Its share of all issue slots.
  double seconds = 0;               ///< Simulated.
  bool passed = false;
};

/// Small, with one thread of the host.
SuiteRun run_on(const workload::Workload& workload, const gpu::Machine& machine);

}  // namespace heddle::demo
