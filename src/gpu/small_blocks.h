#pragma once

// Cuts blocks into blocks of one warp, as if the program had been written that way (Xiang et al.,
// Warp-Level Divergence in GPUs, section 4.3). Registers and warp slots are then allocated and
// freed warp by warp. The hardware needs no change except enough block slots (sm.blocks). The warps
// of an original block may run on different multiprocessors, and then share no L1 cache.

#include <memory>

#include "exec/launch.h"

namespace heddle::gpu {

/// Whether the warps of each block are independent of one another: the launch has no barrier and no
/// shared memory, and need not have all its blocks resident at once.
bool can_be_cut(const exec::Launch& launch);
/// Returns the same launch with each warp as a block. The threads keep their original indices.
std::unique_ptr<const exec::Launch> cut_into_warps(const exec::Launch& launch);

}  // namespace heddle::gpu
