#pragma once

// The sizes of a multiprocessor's memories during a launch, and the occupancy that follows.

#include "sm/block_needs.h"
#include "sm/residency/occupancy.h"
#include "sm/storage_sizes.h"

namespace heddle::sm {

struct SmDescription;

/// The sizes that the parameters state: sm.registers, sm.shared_bytes and l1.bytes. They hold while
/// launches run side by side.
StorageSizes parameter_sizes(const SmDescription& sm);
/// The sizes that the multiprocessor's policy chooses for a launch that runs alone.
StorageSizes sizes_for(const SmDescription& sm, const BlockNeeds& needs);
/// The occupancy of a multiprocessor with these sizes by blocks with these needs.
Occupancy occupancy_of(const SmDescription& sm, const StorageSizes& sizes, const BlockNeeds& needs);
/// The same with the sizes of sizes_for().
Occupancy occupancy_of(const SmDescription& sm, const BlockNeeds& needs);

}  // namespace heddle::sm
