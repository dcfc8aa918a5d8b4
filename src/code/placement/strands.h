#pragma once

// Divides a function into strands. A strand is a part of a function that begins with empty upper
// levels (Gebhart's dissertation on on-chip storage for throughput processors, section 6.3).

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

struct Strands {
  std::vector<bool> begins;        ///< By position: a strand begins before it.
  std::vector<bool> suspends;      ///< By position: the warp is suspended before it.
  std::vector<bool> block_begins;  ///< By block, including empty ones: a strand begins at it.
};

/// Finds the strands of a function. Every backward edge leads to the beginning of a strand. So
/// within a strand, control only passes from lower to higher positions.
Strands find_strands(const CodeOrder& code, const Hierarchy& hierarchy);

}  // namespace heddle::code
