#include "sm/operands/static_warps_of_pass.h"

#include "sm/threads/packed_threads.h"

namespace heddle::sm {

void StaticWarpsOfPass::gather(std::span<const StaticWarp> static_warps) {
  is_gathered_ = true;
  for (auto& pass : gathered_) pass.clear();
  for_each_packed_thread(
      static_warps, [this](const StaticWarp& static_warp, int lane, std::size_t number) {
        if (number >= gathered_.size()) gathered_.resize(number + 1);
        std::vector<StaticWarpLanes>& pass = gathered_[number];
        if (pass.empty() || pass.back().hardware_warp != static_warp.hardware_warp)
          pass.push_back({.hardware_warp = static_warp.hardware_warp, .path = {}, .active = {}});
        StaticWarpLanes& lanes = pass.back();
        lanes.path = lanes.path | LaneMask::of_lane(lane);
      });
  for (auto& pass : gathered_) {
    for (StaticWarpLanes& lanes : pass) {
      for (const StaticWarp& static_warp : static_warps) {
        if (static_warp.hardware_warp == lanes.hardware_warp)
          lanes = lanes_of(static_warp, lanes.path);
      }
    }
  }
}

}  // namespace heddle::sm
