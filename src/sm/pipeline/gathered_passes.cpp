#include "sm/pipeline/gathered_passes.h"

namespace heddle::sm {

void GatheredPasses::gather(std::span<const Row> rows, std::size_t passes) {
  if (passes_.size() < passes) passes_.resize(passes);
  for (Gathered& pass : passes_) pass.lanes = {};
  // A lane's threads go row by row, as pack_sub_warps() has it.
  std::array<std::uint8_t, 32> pass_of_lane{};
  for (const Row& row : rows) {
    const exec::LaneContext& context = row.warp->context;
    for (LaneMask left = row.path; !left.empty(); left = left.without_lowest()) {
      const auto lane = static_cast<std::size_t>(left.lowest());
      Gathered& pass = passes_[pass_of_lane[lane]++];
      if ((context.active >> lane & 1) == 0) continue;
      pass.lanes = pass.lanes | LaneMask::of_lane(static_cast<int>(lane));
      pass.addresses[lane] = context.address()[lane];
      pass.homes[lane] = static_cast<std::uint8_t>(row.home);
    }
  }
}

}  // namespace heddle::sm
