#pragma once

#include <cstdint>

#include "exec/launch.h"

namespace heddle::exec {

struct GridResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// Runs all blocks of a launch to their ends, without time. Blocks run one by one, in order; one
/// that takes long shares the host with those after it, so that blocks may wait for one another as
/// on a device where all of them fit. Those of a cooperative launch take turns from the start.
/// Throws SimulatedFault.
GridResult run_grid(const Launch& launch);

}  // namespace heddle::exec
