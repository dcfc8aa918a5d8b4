#pragma once

// Divides a function into strands. A strand is a part of a function that begins with empty upper
// levels of the register hierarchy (hierarchy.h; Gebhart's dissertation on on-chip storage for
// throughput processors, section 6.3).

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

/// Where strands begin in a function, and where the warp is suspended.
struct Strands {
  std::vector<bool> begins;        ///< By position: whether a strand begins there.
  std::vector<bool> suspends;      ///< By position: whether the warp is suspended before it.
  std::vector<bool> block_begins;  ///< By block, empty ones too: whether a strand begins there.
};

/// Finds the strands of a function. Every backward edge leads to the beginning of a strand. So
/// control only passes from lower to higher positions within a strand.
Strands find_strands(const CodeOrder& code, const Hierarchy& hierarchy);

}  // namespace heddle::code
