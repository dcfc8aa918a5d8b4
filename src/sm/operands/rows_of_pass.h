#pragma once

// Whose threads are in a pass: of one row, or of several where large warps are packed.

#include <cstdint>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

struct RowLanes {
  WarpSlot home = 0;
  LaneMask path;    ///< At the instruction.
  LaneMask active;  ///< Those that its guard let execute it.
};

class RowsOfPass {
 public:
  /// To be asked for every pass. Holds until it is asked for the next.
  std::span<const RowLanes> of(const IssuedPass& issued) {
    // All passes of an instruction come one after another.
    if (issued.number == 0) is_gathered_ = false;
    if (const Row* row = issued.pass.row; row != nullptr) {
      one_ = lanes_of(*row, issued.pass.lanes);
      return {&one_, 1};
    }
    if (!is_gathered_) gather(issued.rows);
    return gathered_[issued.number];
  }
  static RowLanes lanes_of(const Row& row, LaneMask path) {
    return {.home = row.home, .path = path, .active = LaneMask(row.warp->context.active) & path};
  }

 private:
  void gather(std::span<const Row> rows);

  RowLanes one_;
  bool is_gathered_ = false;
  std::vector<std::vector<RowLanes>> gathered_;  ///< By pass.
};

}  // namespace heddle::sm
