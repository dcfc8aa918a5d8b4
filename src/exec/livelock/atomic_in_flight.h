#pragma once

#include "base/lane_mask.h"

namespace heddle::exec {

class DeferredAtomic;
struct Warp;

/// A deferred atomic whose result the warp has not received yet.
struct AtomicInFlight {
  const DeferredAtomic* atomic = nullptr;
  const Warp* static_warp = nullptr;
  LaneMask performed;  ///< The lanes that have already been performed on memory.
};

}  // namespace heddle::exec
