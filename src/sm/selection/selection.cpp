#include "sm/selection/selection.h"

#include <algorithm>

namespace heddle::sm {

Cycle Selection::next_change(Cycle now) const {
  Cycle change = std::min(schedulers_.next_update(), schedulers_.next_pass(now));
  if (speculates_) {
    if (wrong_paths_ != nullptr) change = std::min(change, wrong_paths_->next(now));
    if (lookahead_ != nullptr) change = std::min(change, lookahead_->next(now));
  }
  if (warps_.ready() == 0) return change;
  change = std::min(change, schedulers_.next_free(now));
  for (const StructuralHazards& hazards : hazards_) {
    change = std::min(change, hazards.next_space(now));
  }
  return change;
}

bool Selection::has_space_for_memory() const {
  return std::any_of(hazards_.begin(), hazards_.end(), [](const StructuralHazards& hazards) {
    return hazards.has_space_for_memory();
  });
}

/// The members of `warps`, which are on wrong paths, whose next instruction there finds space.
WarpSet Selection::with_space_on_wrong_path(const StructuralHazards& hazards, WarpSet warps,
                                            Cycle now) const {
  WarpSet found = 0;
  for_each_warp(warps, [&](WarpSlot warp) {
    const IssueTable& table = warps_[warp].grid->table;
    const IssueInfo& info = table[wrong_paths_->pc(warp)];
    if (hazards.has_space_for(warp, table, info, now)) found |= set_of(warp);
  });
  return found;
}

[[gnu::noinline]] Selection::SpeculativeWarps Selection::find_speculative(Cycle now) const {
  SpeculativeWarps found;
  if (wrong_paths_ != nullptr && wrong_paths_->has_any())
    found.on_wrong_path = wrong_paths_->due_warps(now);
  if (lookahead_ != nullptr && lookahead_->has_any()) found.ahead = lookahead_->due_warps();
  return found;
}

/// A warp of the scheduler that can issue ahead; kNoWarp if there is none. `ahead`: the warps whose
/// next instruction ahead is due. No warp of the scheduler can issue normally.
[[gnu::cold]] WarpSlot Selection::pick_ahead(const SchedulerState& scheduler, WarpSet ahead,
                                             Cycle now) const {
  if (scheduler.is_busy_at(now)) return kNoWarp;
  const StructuralHazards& hazards = hazards_[scheduler.sub_core];
  WarpSet eligible = 0;
  for_each_warp(ahead & scheduler.warps, [&](WarpSlot warp) {
    const IssueTable& table = warps_[warp].grid->table;
    if (lookahead_->has_registers(warp) &&
        hazards.has_space_for(warp, table, lookahead_->next_instruction(warp), now)) {
      eligible |= set_of(warp);
    }
  });
  return eligible == 0 ? kNoWarp : lookahead_->pick(eligible);
}

}  // namespace heddle::sm
