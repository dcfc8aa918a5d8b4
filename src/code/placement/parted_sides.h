#pragma once

// What the paper does not speak of: threads of a warp that part at a branch go one side after the
// other. Where a side suspends the warp, what the threads of the other sides had in the upper
// levels is lost, though they do not come past that place themselves.

#include <vector>

#include "code/placement/code_order.h"

namespace heddle::code {

/// By position: the upper levels may have been lost before it, as threads of the warp were
/// suspended on another side of a branch. `suspends`, by block, whether something in it suspends a
/// warp.
struct LostToOthers {
  std::vector<bool> before_block;
  std::vector<bool> after_position;  ///< Where one side waits for the others: warp_sync.
};

LostToOthers lost_to_others(const CodeOrder& code, const std::vector<bool>& suspends);

}  // namespace heddle::code
