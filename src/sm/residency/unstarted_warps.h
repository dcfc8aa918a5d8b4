#pragma once

#include <vector>

#include "exec/fault/warp_status.h"
#include "sm/residency/resident_blocks.h"

namespace heddle::sm {

/// Adds the warps of resident blocks that have not started because they wait for space, for
/// messages about launches that hang.
void add_unstarted(const ResidentBlocks& residents, std::vector<exec::WarpStatus>& statuses);

}  // namespace heddle::sm
