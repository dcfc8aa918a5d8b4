#include "sm/warps/slot_status.h"

#include <fmt/format.h>

#include "sm/stalls/stall_cause.h"

namespace heddle::sm {

SlotStatus status_of(const WarpTable& warps, WarpSlot warp) {
  const Slot& slot = warps[warp];
  if (!ends_with_event(slot.state)) return {std::string(exec::kRunning), std::nullopt};
  return {fmt::format("waiting {}", meaning_of(cause_of(slot.reason))), slot.since.number};
}

bool is_any_ending(const WarpTable& warps) {
  bool any = false;
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    const WarpState state = warps[warp].state;
    any = any || (is_past_last_instruction(state) && state != WarpState::ended);
  });
  return any;
}

}  // namespace heddle::sm
