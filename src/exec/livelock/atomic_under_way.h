#pragma once

#include "base/lane_mask.h"

namespace heddle::exec {

class DeferredAtomic;
struct Warp;

/// An atomic that has been taken from a warp, and whose result the warp does not have yet.
struct AtomicUnderWay {
  const DeferredAtomic* work = nullptr;
  const Warp* row = nullptr;
  LaneMask performed;  ///< Those of its lanes whose element has been.
};

}  // namespace heddle::exec
