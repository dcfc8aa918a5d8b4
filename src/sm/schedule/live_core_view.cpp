#include "sm/schedule/live_core_view.h"

namespace heddle::sm {

WarpSet LiveCoreView::ready_to_load() const {
  WarpSet loads = 0;
  for_each_warp(ready_to_access_memory(), [&](WarpSlot warp) {
    if (warps_[warp].next->kind == InstructionKind::load) loads |= set_of(warp);
  });
  return loads;
}

/// The simulation of memory may lag behind `now` while this affects no warp. It is brought up to
/// date here, before its counters are read.
CacheCounts LiveCoreView::l1() const {
  memory_.advance(now_, completions_);
  const L1Cache::Counters& counters = memory_.l1().counters();
  return {.accesses = counters.accesses, .hits = counters.hits, .misses = counters.misses};
}

}  // namespace heddle::sm
