#include "sm/redundancy/pass_values.h"

#include "sm/pipeline/packed_threads.h"

namespace heddle::sm {

PassValues::PassValues(WarpSlot warp, const Slot& slot, std::span<const Row> rows, const Pass& pass,
                       std::size_t number)
    : warp_(warp), slot_(slot), any_context_(&rows.front().warp->context), lanes_(pass.lanes) {
  const auto add = [this](const Row& row, int lane) {
    rows_[static_cast<std::size_t>(lane)] = &row;
    active_ = active_ | (LaneMask::of_lane(lane) & LaneMask(row.warp->context.active));
  };
  if (pass.row != nullptr) {
    for (LaneMask left = lanes_; !left.empty(); left = left.without_lowest()) {
      add(*pass.row, left.lowest());
    }
    return;
  }
  for_each_packed_thread(rows, [&](const Row& row, int lane, std::size_t of_pass) {
    if (of_pass == number && lanes_.contains(lane)) add(row, lane);
  });
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
