#pragma once

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

/// An interface that is notified when static warps (32 threads of a block each) end.
class StaticWarpObserver {
 public:
  /// The static warp in the hardware warp ends at `at`: its threads have exited, and it has nothing
  /// in flight. Another static warp may get the hardware warp.
  virtual void ended(HardwareWarpId hardware_warp, Cycle at) = 0;

 protected:
  ~StaticWarpObserver() = default;
};

}  // namespace heddle::sm
