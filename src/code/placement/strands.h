#pragma once

// Strands: parts of a function at whose beginning nothing is in an upper level (Gebhart's
// dissertation on on-chip storage for throughput processors, section 6.3).

#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

struct Strands {
  std::vector<bool> begins;        ///< By position: a strand begins before it.
  std::vector<bool> suspends;      ///< By position: the warp is suspended before it.
  std::vector<bool> block_begins;  ///< By block: the same, for blocks without instructions too.
};

/// Every edge to an earlier block leads to a strand's beginning: within strands control only goes
/// from lower positions to higher ones.
Strands find_strands(const CodeOrder& code, const Hierarchy& hierarchy);

}  // namespace heddle::code
