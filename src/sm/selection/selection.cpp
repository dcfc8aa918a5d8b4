#include "sm/selection/selection.h"

#include <algorithm>

namespace heddle::sm {

Cycle Selection::next_change(Cycle now) const {
  Cycle change = std::min(schedulers_.next_update(), schedulers_.next_pass(now));
  if (wrong_paths_ != nullptr) change = std::min(change, wrong_paths_->next(now));
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

}  // namespace heddle::sm
