#pragma once

#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// Base of the parameters of scheduling policies for dynamic warp formation. It has no parameters;
/// it declares that the policies need formed warps.
struct FormedWarpParameters {
  static SchedulerProperties properties(const ScheduleDescription&) {
    return {.needs_formation = true};
  }
};

}  // namespace heddle::sm
