#pragma once

// Cuts blocks into blocks of one warp, as if the program had been written that way. Registers and
// warp slots are then allocated and freed by warp. The hardware does not change, but it needs
// enough block slots (sm.blocks). Warps of the original block may then be on different
// multiprocessors, and no longer share a cache. Xiang et al., Warp-Level Divergence in GPUs,
// section 4.3.

#include <memory>

#include "exec/launch.h"

namespace heddle::gpu {

/// Whether the warps of a block are independent: no barrier, no shared memory, and no requirement
/// that all blocks are resident at once.
bool can_be_cut(const exec::Launch& launch);
/// The same launch, but each warp runs as a block. The threads keep their original indices.
std::unique_ptr<const exec::Launch> cut_into_warps(const exec::Launch& launch);

}  // namespace heddle::gpu
