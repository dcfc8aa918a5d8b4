#pragma once

#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// Parameters of the scheduling policies for dynamic warp formation. There are none: the structure
/// only declares that the policies need formed warps (sm/divergence/formed_warp.h).
struct FormedWarpParameters {
  static SchedulerProperties properties(const ScheduleDescription&) {
    return {.needs_formation = true};
  }
};

}  // namespace heddle::sm
