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

/// Blocks of a launch that are run side by side without time, at most: more than any GPU holds, if
/// the host has memory for them.
std::uint64_t most_resident(const Launch& launch);

/// Runs all blocks of a launch to their ends, without time. Blocks run one by one, in order; one
/// that takes long shares the host with those after it, so that blocks may wait for one another as
/// on a device where all of them fit. Those of a cooperative launch take turns from the start.
/// Throws SimulatedFault.
///
/// A cooperative launch must not have more than most_resident() blocks.
GridResult run_grid(const Launch& launch, const ReportGridProgress& report = {});

}  // namespace heddle::exec
