#include "sm/pipeline/gathered_passes.h"

#include "sm/pipeline/packed_threads.h"

namespace heddle::sm {

void GatheredPasses::gather(std::span<const Row> rows, std::size_t passes) {
  if (passes_.size() < passes) passes_.resize(passes);
  for (Gathered& pass : passes_) pass.lanes = {};
  for_each_packed_thread(rows, [this](const Row& row, int lane, std::size_t number) {
    const exec::LaneContext& context = row.warp->context;
    if (!LaneMask(context.active).contains(lane)) return;
    Gathered& pass = passes_[number];
    const auto place = static_cast<std::size_t>(lane);
    pass.lanes = pass.lanes | LaneMask::of_lane(lane);
    pass.addresses[place] = context.address()[place];
    pass.homes[place] = static_cast<std::uint8_t>(row.home);
  });
}

}  // namespace heddle::sm
