#pragma once

#include <cstdint>
#include <functional>

#include "exec/launch.h"

namespace heddle::exec {

struct GridResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// How far a launch without time is.
struct GridProgress {
  GridResult so_far;  ///< Of blocks that have not ended, too.
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};
/// Called now and then. What it throws ends the launch.
using ReportGridProgress = std::function<void(const GridProgress&)>;

/// Runs all blocks of a launch to their ends, without time. Blocks run one by one, in order; one
/// that takes long shares the host with those after it, so that blocks may wait for one another as
/// on a device where all of them fit. Those of a cooperative launch take turns from the start.
/// Throws SimulatedFault.
GridResult run_grid(const Launch& launch, const ReportGridProgress& report = {});

}  // namespace heddle::exec
