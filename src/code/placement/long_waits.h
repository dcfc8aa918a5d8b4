#pragma once

// Finds where a warp is suspended because it needs pending results of long-latency operations
// (IsLongLatency in hierarchy.h).

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"
#include "code/placement/placement.h"

namespace heddle::code {

struct LongWaits {
  /// By position: whether the warp is suspended before the instruction until no result is pending.
  /// It is suspended if the instruction would read or overwrite a pending result, or if it passes
  /// control to another function, which does not know of the pending results.
  std::vector<bool> suspends;
  /// By block: whether the pending results at its entry depend on the path taken.
  std::vector<bool> uncertain;
};

LongWaits find_long_waits(const CodeOrder& code, IsLongLatency is_long_latency);

/// Sets InstructionPlacement::suspends. This serves schedulers that suspend warps where the
/// compiler says so, even without a register hierarchy (Gebhart's dissertation, section 2.5.2).
void mark_long_waits(const CodeOrder& code, IsLongLatency is_long_latency,
                     std::vector<InstructionPlacement>& placement);

}  // namespace heddle::code
