#pragma once

#include <cstdint>
#include <functional>

#include "exec/launch.h"

namespace heddle::exec {

/// The number of instructions that a launch executed.
struct GridResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The progress of a functional launch.
struct GridProgress {
  GridResult so_far;  ///< Includes blocks that have not ended.
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};
/// Called at intervals during a launch. An exception that it throws ends the launch.
using ReportGridProgress = std::function<void(const GridProgress&)>;

/// The maximum number of blocks of a launch that are resident at once in a functional run. It
/// exceeds what any GPU holds, unless the blocks would take too much of the host's memory.
std::uint64_t max_resident_blocks(const Launch& launch);

/// Runs all blocks of a launch to their ends, without timing. Blocks run one by one, in order. If a
/// block runs for long, the next blocks start too, and all of them take turns. So a block may wait
/// for a later one, as on a device that holds both. The blocks of a cooperative launch take turns
/// from the start. Throws SimulatedFault.
///
/// A cooperative launch must not have more than max_resident_blocks() blocks.
GridResult run_grid(const Launch& launch, const ReportGridProgress& report = {});

}  // namespace heddle::exec
