#include "sm/live_core_view.h"

namespace heddle::sm {

WarpSet LiveCoreView::about_to_load() const {
  WarpSet loads = 0;
  for_each_warp(about_to_access_memory(), [&](WarpSlot warp) {
    if (warps_[warp].next->kind == InstructionKind::load) loads |= set_of(warp);
  });
  return loads;
}

/// Memory may be late, by what changes nothing for a warp: here it catches up.
CacheCounts LiveCoreView::l1() const {
  memory_.advance(now_, completions_);
  const NonblockingCache::Counters& counters = memory_.l1().counters();
  return {.accesses = counters.accesses, .hits = counters.hits, .misses = counters.misses};
}

}  // namespace heddle::sm
