#pragma once

// A residency for tests: a block starts with half of its warps; at each end of a warp, one more of
// every block starts, if there is room for it.

#include "gpu/chip_run.h"

namespace heddle::gpu::test {

inline const Settings kHalfBlocks{"sm.residency=half-blocks"};

}  // namespace heddle::gpu::test
