#pragma once

// Finds where upper levels lose values because divergent threads share a warp. Gebhart's
// dissertation does not discuss this. The paths of a divergent branch run one after another. If one
// path suspends the warp, the upper levels also lose the values of the threads on the other paths.

#include <vector>

#include "code/placement/code_order.h"

namespace heddle::code {

/// Where the contents of the upper levels may be lost because another path suspended the warp.
struct DivergenceLosses {
  std::vector<bool> before_block;  ///< By block: whether they may be lost before it.
  /// By position: likewise after it, if it is a warp_sync or a barrier.
  std::vector<bool> after_position;
};

/// Finds these points. `suspends` says for each block whether an instruction in it suspends the
/// warp.
DivergenceLosses divergence_losses(const CodeOrder& code, const std::vector<bool>& suspends);

}  // namespace heddle::code
