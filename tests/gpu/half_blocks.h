#pragma once

// A residency policy for tests: a block starts with half of its warps. Each time a warp ends, one
// more warp of every block starts if it fits.

#include "gpu/chip_run.h"

namespace heddle::gpu::test {

inline const Settings kHalfBlocks{"residency.policy=half-blocks"};

}  // namespace heddle::gpu::test
