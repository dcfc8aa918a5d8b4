#include "sm/warps/warp_table.h"

namespace heddle::sm {

WarpTable::WarpTable(std::uint32_t slots) {
  for (WarpSlot warp = 0; warp < slots; ++warp) all_ |= set_of(warp);
  free_ = all_;
}

Slot& WarpTable::take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot, std::uint32_t pc) {
  free_ &= ~set_of(warp);
  Slot& slot = slots_[warp];
  slot = {.grid = &grid, .block_slot = block_slot, .state = slot.state};
  slot.go_to(pc);
  enter(warp, WarpState::deciding);
  return slot;
}

WarpSet WarpTable::wake(WarpSet due, Cycle now) {
  WarpSet others = 0;
  for_each_warp(due, [&](WarpSlot warp) {
    Slot& slot = slots_[warp];
    if (slot.ready_at > now) return wheel_.add(set_of(warp), slot.ready_at, now);
    if (slot.state != WarpState::waiting) {
      others |= set_of(warp);
      return;
    }
    end_wait(warp, now);
    become_ready(warp);
  });
  return others;
}

void WarpTable::count_waits(Cycle until) {
  for_each_warp(all_ & ~free_, [&](WarpSlot warp) {
    const WarpState state = slots_[warp].state;
    // Ready warps are counted cycle by cycle.
    if (state == WarpState::starting || state == WarpState::ready || state == WarpState::ended) {
      return;
    }
    count_uncounted(slots_[warp], until);
  });
  counted_until_ = std::max(counted_until_, until);
}

}  // namespace heddle::sm
