// The statuses of formed warps and of threads that are in none, for messages about launches that do
// not end.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "exec/livelock/livelock_probe.h"
#include "sm/divergence/formed_warp_grouping.h"
#include "sm/warps/slot_status.h"

namespace heddle::sm {

/// Calls each(part, pc, slot) for all threads, except those that wait for others of their static
/// warp. A part is a set of threads of one static warp at the instruction `pc`. `slot` is kNoWarp
/// for threads that are in no slot.
template <class Each>
void FormedWarpGrouping::for_each_part(Each each) const {
  for_each_unended(warps_, [&](WarpSlot warp) {
    const FormedWarp& formed = *formed_warps_[warp];
    for (const exec::StacklessThreads::Side& side : formed.sides()) {
      exec::FormedThreads threads = formed.group().threads;
      threads.keep(side.threads);
      for (const exec::FormedThreads::Part& part : threads.parts) each(part, side.target, warp);
    }
  });
  for (std::size_t i = 0; i < unplaced_.size(); ++i) {
    const exec::FormedThreads& threads = unplaced_[i].group.threads;
    for (const exec::FormedThreads::Part& part : threads.parts) each(part, threads.pc, kNoWarp);
  }
}

/// Adds the status of threads that wait for others of their static warp; they are in no slot.
void FormedWarpGrouping::add_waiting_threads(std::vector<exec::WarpStatus>& statuses) const {
  residents_.for_each([&](const ResidentBlock& resident) {
    for (std::uint32_t w = 0; w < resident.started_count; ++w) {
      const HardwareWarpId hardware_warp = resident.hardware_warps[w];
      if (hardware_warp == kNoWarp) continue;
      for (const exec::StacklessThreads::ThreadsAtPc& waiting :
           threads_.waiting_threads(hardware_warp)) {
        statuses.push_back({.block = resident.block.get(),
                            .warp = w,
                            .lanes = waiting.lanes,
                            .pc = waiting.pc,
                            .what = exec::waiting_at(resident.block->launch(), waiting.pc,
                                                     threads_.barrier_of(hardware_warp)),
                            .since = diverged_at_[hardware_warp].number});
      }
    }
  });
}

void FormedWarpGrouping::add_statuses(std::vector<exec::WarpStatus>& statuses) const {
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot warp) {
    const SlotStatus slot = warp == kNoWarp
                                ? SlotStatus{"waiting for a free slot of a formed warp", {}}
                                : status_of(warps_, warp);
    exec::WarpStatus& status = statuses.emplace_back();
    status.block = &threads_.block(part.static_warp);
    status.warp = threads_.warp(part.static_warp).identity.warp;
    status.lanes = part.lanes;
    status.pc = pc;
    status.what = slot.what;
    status.since = slot.since;
  });
  add_waiting_threads(statuses);
}

/// Probes each thread alone, because each has a program counter of its own.
bool FormedWarpGrouping::add_if_idle(exec::LivelockProbe& probe,
                                     std::vector<exec::WarpStatus>& statuses) const {
  bool all_idle = true;
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot) {
    exec::Block& block = threads_.block(part.static_warp);
    const exec::Warp& static_warp = threads_.warp(part.static_warp);
    for (LaneMask rest = part.lanes; all_idle && !rest.empty(); rest = rest.without_lowest()) {
      const int lane = rest.lowest();
      const std::optional<exec::ProbedPath> path = probe.probe_thread(
          block, static_warp, lane, pc, threads_.frame_of(part.static_warp, lane));
      all_idle = path.has_value();
      if (!all_idle) return;
      exec::WarpStatus status = exec::status_of(block, static_warp, LaneMask::of_lane(lane), *path);
      const auto alike = std::find_if(statuses.begin(), statuses.end(), [&](const auto& other) {
        return other.block == &block && other.warp == status.warp && other.pc == status.pc &&
               other.what == status.what;
      });
      if (alike == statuses.end()) {
        statuses.push_back(std::move(status));
      } else {
        alike->lanes = alike->lanes | status.lanes;
      }
    }
  });
  if (all_idle) add_waiting_threads(statuses);
  return all_idle;
}

}  // namespace heddle::sm
