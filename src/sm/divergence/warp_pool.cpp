#include "sm/divergence/warp_pool.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

bool join(ThreadGroup& from, ThreadGroup& into) {
  const LaneMask free = ~into.threads.lanes;
  if ((from.threads.lanes & free).empty()) return false;
  for (const exec::FormedThreads::Part& part : from.threads.parts) {
    const LaneMask moved = part.lanes & free;
    if (!moved.empty()) into.threads.add({part.static_warp, moved});
  }
  from.threads.keep(~free);
  into.passed_count = std::min(into.passed_count, from.passed_count);
  return true;
}

void WarpPool::add(WarpSlot warp, std::uint32_t grid, std::uint32_t pc) {
  Bucket& bucket = buckets_[bucket_of(pc)];
  bucket.warps |= set_of(warp);
  bucket.youngest = warp;
  entries_[warp] = {.grid = grid, .pc = pc, .number = ++added_count_};
}

void WarpPool::remove(WarpSlot warp) {
  buckets_[bucket_of(entries_[warp].pc)].warps &= ~set_of(warp);
}

WarpSlot WarpPool::youngest(std::uint32_t grid, std::uint32_t pc) const {
  const Bucket& bucket = buckets_[bucket_of(pc)];
  const auto matches = [&](WarpSlot warp) {
    return entries_[warp].pc == pc && entries_[warp].grid == grid;
  };
  if ((bucket.warps & set_of(bucket.youngest)) != 0 && matches(bucket.youngest)) {
    return bucket.youngest;
  }
  WarpSlot found = kNoWarp;
  for (WarpSet rest = bucket.warps; rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(rest));
    if (!matches(warp)) continue;
    if (found == kNoWarp || entries_[warp].number > entries_[found].number) found = warp;
  }
  return found;
}

}  // namespace heddle::sm
