#pragma once

// Where a warp is suspended, as results of long-latency operations are not there yet.

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

struct LongWaits {
  /// By position: before it the warp waits for all that is pending. It would read or overwrite such
  /// a result, or it hands control to another function, which knows nothing of it.
  std::vector<bool> suspends;
  /// By block: on some ways to it other results are pending than on others.
  std::vector<bool> uncertain;
};

LongWaits find_long_waits(const CodeOrder& code, IsLongLatency is_long_latency);

/// For hardware that goes by such marks whatever it has of levels of registers (section 2.5.2).
void mark_long_waits(const CodeOrder& code, IsLongLatency is_long_latency,
                     std::vector<InstructionPlacement>& placement);

}  // namespace heddle::code
