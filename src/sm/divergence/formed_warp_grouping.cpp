#include "sm/divergence/formed_warp_grouping.h"

#include <algorithm>

namespace heddle::sm {

void FormedWarpGrouping::start_warps() {
  for (const StartingWarps& start : residents_.starting()) {
    const ResidentBlock& resident = residents_[start.block_slot];
    for (std::uint32_t w = start.first_warp; w < start.first_warp + start.count; ++w) {
      const HardwareWarpId hardware_warp = resident.hardware_warps[w];
      passed_counts_[hardware_warp] = 0;
      resume({.group = {threads_.start(hardware_warp, *resident.block, resident.block->warp(w)), 0},
              .grid = resident.grid,
              .at = start.at,
              .is_starting = true});
    }
  }
}

std::span<const Pass> FormedWarpGrouping::passes(WarpSlot warp, const IssueInfo& instruction) {
  const std::span<const StaticWarp> static_warps = formed_warps_[warp]->static_warps();
  passes_.clear();
  if (instruction.kind == InstructionKind::atomic) {
    // Each static warp sends its own atomic, one after the other.
    for (const StaticWarp& static_warp : static_warps)
      passes_.push_back({.lanes = static_warp.path, .static_warp = &static_warp});
    return passes_;
  }
  passes_.push_back({.lanes = group(warp).threads.lanes,
                     .static_warp = static_warps.size() == 1 ? static_warps.data() : nullptr});
  return passes_;
}

void FormedWarpGrouping::regroup(WarpSlot warp) {
  const Grid& grid = *warps_[warp].grid;
  FormedWarp& formed = *formed_warps_[warp];
  if (formed.stays_together()) {
    go_to(formed.group(), formed.sides()[0].target, grid);
    const exec::FormedThreads& threads = formed.group().threads;
    const WarpSlot other = pool_.youngest(grid.number, threads.pc);
    if (other == kNoWarp || threads.lanes.without(group(other).threads.lanes).empty()) {
      return return_to_pool(warp);
    }
    sequencer_.leave(warp, now_);
    merge_into_pool(formed.group(), grid, warp);
    return place_unplaced();
  }
  const exec::StacklessThreads::Sides sides = formed.sides();
  note_divergence(warp);
  const ThreadGroup before = formed.group();
  sequencer_.leave(warp, now_);
  for (const exec::StacklessThreads::Side& side : sides) {
    ThreadGroup group = before;
    group.threads.keep(side.threads);
    go_to(group, side.target, grid);
    merge_into_pool(group, grid, warp);
  }
  place_unplaced();
}

/// Returns the warp to the pool with the same threads, as the youngest warp.
void FormedWarpGrouping::return_to_pool(WarpSlot warp) {
  schedulers_.end(warp);
  schedulers_.scheduler_of(warp).started(warp);
  warps_[warp].go_to(group(warp).threads.pc);
  sequencer_.fetch(warp);
}

/// Merges threads into the youngest warp of the pool at their instruction, if their lanes are free
/// there. The other threads become a new warp, which is then the youngest. Its slot is
/// `previous_slot`, in which the threads were before, if that is free.
void FormedWarpGrouping::merge_into_pool(ThreadGroup& threads, const Grid& grid,
                                         WarpSlot previous_slot) {
  const WarpSlot other = pool_.youngest(grid.number, threads.threads.pc);
  if (other != kNoWarp && join(threads, group(other))) report_formation(other);
  if (threads.threads.lanes.empty()) return;
  const WarpSlot warp = take_slot(threads, grid, previous_slot);
  if (warp == kNoWarp) return unplaced_.push({.group = threads, .grid = &grid, .at = now_});
  sequencer_.fetch(warp);
}

/// Puts threads that start, or that have waited for other threads or for a slot, into a free slot.
/// If none is free, they wait for one.
void FormedWarpGrouping::resume(const UnplacedThreads& waiting) {
  const WarpSlot warp = take_slot(waiting.group, *waiting.grid, kNoWarp);
  if (warp == kNoWarp) return unplaced_.push(waiting);
  // The threads continue in the next cycle at the earliest: slots may still be freed and filled in
  // this one.
  const Cycle at = std::max(waiting.at, now_ + Cycles(1));
  if (waiting.is_starting) return sequencer_.start(warp, at);
  sequencer_.wait(warp, WarpState::regrouping, at, waiting.reason);
}

void FormedWarpGrouping::place_unplaced() {
  while (!unplaced_.empty() && warps_.free() != 0) {
    const UnplacedThreads waiting = unplaced_.front();
    unplaced_.pop();
    resume(waiting);
  }
}

/// Puts the group into a free slot, `preferred` if that is free. Returns the slot; kNoWarp if no
/// slot is free.
WarpSlot FormedWarpGrouping::take_slot(const ThreadGroup& group, const Grid& grid,
                                       WarpSlot preferred) {
  if (warps_.free() == 0) return kNoWarp;
  const bool has_preferred = preferred != kNoWarp && (warps_.free() & set_of(preferred)) != 0;
  const WarpSlot warp = has_preferred ? preferred : first_of(warps_.free());
  formed_warps_[warp]->put(group);
  sequencer_.take(warp, grid,
                  residents_.hardware_warp(group.threads.parts[0].static_warp).block_slot,
                  group.threads.pc);
  return warp;
}

/// Resumes, at `at`, the threads that the executed instruction of `warp` has released.
void FormedWarpGrouping::move_released(WarpSlot warp, Cycle at) {
  for (const StaticWarp& static_warp : static_warps(warp))
    passed_counts_[static_warp.hardware_warp] = group(warp).passed_count;
  for (const exec::StacklessThreads::ThreadsAtPc& resumed : threads_.resumed()) {
    const Grid& grid = *residents_[residents_.hardware_warp(resumed.static_warp).block_slot].grid;
    ThreadGroup group{
        exec::FormedThreads::of_static_warp(resumed.static_warp, resumed.lanes, resumed.pc),
        passed_counts_[resumed.static_warp]};
    count_post_dominator(group, grid);
    resume({.group = group, .grid = &grid, .at = at, .reason = WaitReason::barrier});
  }
  threads_.resumed().clear();
}

}  // namespace heddle::sm
