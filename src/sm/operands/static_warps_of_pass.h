#pragma once

// The static warps (32 threads of a block each) to which the threads of a pass belong. There is
// one, or several if the threads of a large or formed warp are packed.

#include <cstdint>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

/// The threads of a pass that belong to one static warp.
struct StaticWarpLanes {
  HardwareWarpId hardware_warp = 0;
  LaneMask path;    ///< The lanes of the threads.
  LaneMask active;  ///< The lanes of `path` for which the instruction's guard holds.
};

class StaticWarpsOfPass {
 public:
  /// The static warps of the pass. Must be called for all passes of an instruction, in order. The
  /// result is valid until the next call.
  std::span<const StaticWarpLanes> find(const IssuedPass& issued) {
    // The first pass of another instruction.
    if (issued.number == 0) is_gathered_ = false;
    if (const StaticWarp* static_warp = issued.pass.static_warp; static_warp != nullptr) {
      one_ = lanes_of(*static_warp, issued.pass.lanes);
      return {&one_, 1};
    }
    if (!is_gathered_) gather(issued.static_warps);
    return gathered_[issued.number];
  }
  /// The threads of the static warp in the lanes `path`.
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
