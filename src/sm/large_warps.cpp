// How large warps come, wait and go.
//
// A block takes whole large warps; of blocks that are smaller, as many share one as it has room for
// and come at the same time, and they end together, as the large warp is one to its multiprocessor.

#include <bit>

#include "sm/sm.h"

namespace heddle::sm {

void Sm::start_large_warps() {
  const std::size_t most = description_.divergence.rows();
  std::vector<WideRow> rows;
  const TakenBlock* last = nullptr;
  const auto begin = [&] {
    if (!rows.empty()) start_large_warp(*last, rows);
    rows.clear();
  };
  for (const TakenBlock& taken : taken_blocks_) {
    const std::uint32_t warps = taken.grid->needs.warps;
    const bool shares = last != nullptr && last->grid == taken.grid && last->at == taken.at &&
                        rows.size() + warps <= most;
    if (!shares) begin();
    const std::uint32_t number = start_block(taken);
    last = &taken;
    for (std::uint32_t w = 0; w < warps; ++w) {
      Resident& resident = residents_[number];
      rows.push_back({.block = resident.block.get(),
                      .warp = &resident.block->warp(w),
                      .home = resident.homes[w]});
      if (rows.size() == most) begin();
    }
    if (warps > most) begin();
  }
  begin();
}

void Sm::start_large_warp(const TakenBlock& taken, std::vector<WideRow>& rows) {
  const auto warp = static_cast<WarpSlot>(std::countr_zero(free_slots_));
  free_slots_ &= ~set_of(warp);
  Slot& slot = begin_slot(warp, *taken.grid, homes_[rows.front().home].resident, taken.at);
  large_warps_[warp]->start(rows);
  slot.wide = large_warps_[warp].get();
  slot.rows = static_cast<std::uint8_t>(rows.size());
}

/// Those that wait at a barrier which has been released go on.
void Sm::look_at_large_warps() {
  const Cycle at = now_ + Cycles(description_.barrier.latency);
  WarpSet waiting = waiting_[static_cast<std::size_t>(StallCause::barrier)];
  for (; waiting != 0; waiting &= waiting - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(waiting));
    if (!slots_[warp].blocked || large_warps_[warp]->state().waiting()) continue;
    unblock(warp, now_);
    follow(warp, at, StallCause::barrier);
  }
}

void Sm::end_large_warp(WarpSlot warp, Cycle at) {
  const Cycle begin = slots_[warp].begin;
  free_slots_ |= set_of(warp);
  for (const WideRow& row : large_warps_[warp]->all_rows()) {
    end_row(homes_[row.home].resident, homes_[row.home].warp, begin, at);
  }
}

}  // namespace heddle::sm
