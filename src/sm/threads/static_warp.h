#pragma once

// The threads that execute an instruction together. A static warp is 32 threads of a block with
// consecutive numbers; one exec::Warp contains their registers. The threads that share a warp slot
// belong to one static warp or to several.

#include "base/lane_mask.h"
#include "exec/block/block.h"
#include "sm/ids.h"

namespace heddle::sm {

/// A static warp, and the set of its threads that are at the next instruction of a slot.
struct StaticWarp {
  exec::Block* block = nullptr;
  exec::Warp* warp = nullptr;
  HardwareWarpId hardware_warp = 0;
  LaneMask path{};  ///< The lanes of these threads, whether or not the guard holds for them.
};

/// Threads in different lanes that go through a unit together.
struct Pass {
  LaneMask lanes;
  /// The static warp of all its threads; null if they belong to several.
  const StaticWarp* static_warp = nullptr;
};

}  // namespace heddle::sm
