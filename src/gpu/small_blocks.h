#pragma once

// Blocks of one warp, as the program might have been written: then registers and places are given
// by warps without any change of the hardware, which only has to have places for so many blocks
// (sm.blocks). What warps of a block share by being on one multiprocessor, they share no longer.
// Xiang et al., Warp-Level Divergence in GPUs, section 4.3.

#include <memory>

#include "exec/launch.h"

namespace heddle::gpu {

/// Whether its warps can do without each other: no barrier, no shared memory, and no blocks that
/// all have to be there at once.
bool can_be_cut(const exec::Launch& launch);
/// The same launch, each warp of which runs as a block. Its threads have the indices that they had.
std::unique_ptr<const exec::Launch> cut_into_warps(const exec::Launch& launch);

}  // namespace heddle::gpu
