#pragma once

// Where a warp is suspended, as results of long-latency operations are not there yet.

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

struct LongWaits {
  /// By position: before it the warp waits for all that is pending. It would read or overwrite such
  /// a result, or it hands control to another function, which knows nothing of it.
  std::vector<bool> suspends;
  /// By block: on some ways to it other results are pending than on others.
  std::vector<bool> uncertain;
};

LongWaits find_long_waits(const CodeOrder& code, const Hierarchy& hierarchy);

}  // namespace heddle::code
