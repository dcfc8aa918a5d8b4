#pragma once

#include "base/lane_mask.h"

namespace heddle::exec {

class DeferredAtomic;
struct Warp;

/// A deferred atomic (exec/memory/deferred_atomic.h) whose result its warp has not received yet.
struct AtomicInFlight {
  const DeferredAtomic* atomic = nullptr;
  const Warp* static_warp = nullptr;  ///< The warp whose atomic it is.
  LaneMask performed_lanes;           ///< Lanes for which memory has already been accessed.
};

}  // namespace heddle::exec
