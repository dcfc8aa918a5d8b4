#pragma once

// The static warps that a pass's threads belong to: one, or several if large warps are packed.

#include <cstdint>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

struct StaticWarpLanes {
  HardwareWarpId hardware_warp = 0;
  LaneMask path;    ///< Lanes whose threads are at the instruction.
  LaneMask active;  ///< Lanes of `path` for which the instruction's guard holds.
};

class StaticWarpsOfPass {
 public:
  /// Must be called for each pass in turn. The result is valid until the next call.
  std::span<const StaticWarpLanes> find(const IssuedPass& issued) {
    // An instruction's passes are consecutive.
    if (issued.number == 0) is_gathered_ = false;
    if (const StaticWarp* static_warp = issued.pass.static_warp; static_warp != nullptr) {
      one_ = lanes_of(*static_warp, issued.pass.lanes);
      return {&one_, 1};
    }
    if (!is_gathered_) gather(issued.static_warps);
    return gathered_[issued.number];
  }
  static StaticWarpLanes lanes_of(const StaticWarp& static_warp, LaneMask path) {
    return {.hardware_warp = static_warp.hardware_warp,
            .path = path,
            .active = LaneMask(static_warp.warp->context.active) & path};
  }

 private:
  void gather(std::span<const StaticWarp> static_warps);

  StaticWarpLanes one_;
  bool is_gathered_ = false;
  std::vector<std::vector<StaticWarpLanes>> gathered_;  ///< By pass.
};

}  // namespace heddle::sm
