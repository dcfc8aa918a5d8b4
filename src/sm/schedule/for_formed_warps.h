#pragma once

#include "sm/schedule/scheduler.h"

namespace heddle::sm {

/// Of policies for dynamic warp formation: no parameters, but they go by nothing else.
struct ForFormedWarps {
  static SchedulerProperties properties(const ScheduleDescription&) {
    return {.goes_by_formation = true};
  }
};

}  // namespace heddle::sm
