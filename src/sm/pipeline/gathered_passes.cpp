#include "sm/pipeline/gathered_passes.h"

#include "sm/threads/packed_threads.h"

namespace heddle::sm {

void GatheredPasses::gather(std::span<const StaticWarp> static_warps, std::size_t passes) {
  if (passes_.size() < passes) passes_.resize(passes);
  for (GatheredPass& pass : passes_) pass.lanes = {};
  for_each_packed_thread(
      static_warps, [this](const StaticWarp& static_warp, int lane, std::size_t pass_number) {
        const exec::WarpContext& context = static_warp.warp->context;
        if (!LaneMask(context.active).contains(lane)) return;
        GatheredPass& pass = passes_[pass_number];
        const auto lane_index = static_cast<std::size_t>(lane);
        pass.lanes = pass.lanes | LaneMask::of_lane(lane);
        pass.addresses[lane_index] = context.address()[lane_index];
        pass.hardware_warps[lane_index] = static_cast<std::uint8_t>(static_warp.hardware_warp);
      });
}

}  // namespace heddle::sm
