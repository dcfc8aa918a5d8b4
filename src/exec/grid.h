#pragma once

#include <cstdint>
#include <functional>

#include "exec/launch.h"

namespace heddle::exec {

/// The instructions that a launch executed. A warp instruction counts as one thread instruction for
/// each thread on its path.
struct GridResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The progress of a launch that runs functionally, that is, without timing.
struct GridProgress {
  GridResult so_far;              ///< Includes the blocks that still run.
  std::uint64_t blocks_done = 0;  ///< The number of blocks that have ended.
  std::uint64_t blocks = 0;       ///< The number of blocks of the launch.
};
/// Called at intervals during a launch. An exception that it throws ends the launch.
using ReportGridProgress = std::function<void(const GridProgress&)>;

/// The maximum number of blocks of a launch that are resident at once in a functional run. It
/// exceeds that of any GPU, unless the host's memory limits it.
std::uint64_t max_resident_blocks(const Launch& launch);

/// Runs all blocks of a launch to their ends, without timing. Blocks run one by one, in order.
/// While a block runs for long, further blocks start and take turns with it. A block may therefore
/// wait for a later block, as on a device on which both are resident. The blocks of a cooperative
/// launch take turns from the start. Throws SimulatedFault.
///
/// A cooperative launch must not have more than max_resident_blocks() blocks.
GridResult run_grid(const Launch& launch, const ReportGridProgress& report = {});

}  // namespace heddle::exec
