#include "sm/redundancy/pass_values.h"

namespace heddle::sm {

PassValues::PassValues(WarpSlot warp, const Slot& slot, std::span<const Row> rows, const Pass& pass,
                       std::size_t number)
    : warp_(warp), slot_(slot), any_context_(&rows.front().warp->context), lanes_(pass.lanes) {
  const auto add = [this](const Row& row, LaneMask lanes) {
    active_ = active_ | (lanes & LaneMask(row.warp->context.active));
    for (; !lanes.empty(); lanes = lanes.without_lowest()) {
      rows_[static_cast<std::size_t>(lanes.lowest())] = &row;
    }
  };
  if (pass.row != nullptr) {
    add(*pass.row, pass.lanes);
    return;
  }
  // A lane's threads go row by row, as pack_sub_warps() has it.
  std::array<std::size_t, kWarpSize> threads_before{};
  for (const Row& row : rows) {
    LaneMask here;
    for (LaneMask left = row.path; !left.empty(); left = left.without_lowest()) {
      const int lane = left.lowest();
      if (threads_before[static_cast<std::size_t>(lane)]++ == number) {
        here = here | LaneMask::of_lane(lane);
      }
    }
    add(row, here & pass.lanes);
  }
}

bool PassValues::same_in_all_lanes(std::uint16_t number) const {
  if (active_.empty()) return true;
  const std::uint32_t first = value(number, active_.lowest());
  for (LaneMask left = active_.without_lowest(); !left.empty(); left = left.without_lowest()) {
    if (value(number, left.lowest()) != first) return false;
  }
  return true;
}

}  // namespace heddle::sm
