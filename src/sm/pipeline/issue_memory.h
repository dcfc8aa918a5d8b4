#pragma once

// Issue of memory instructions. Each pass books the memory stage instead of an arithmetic unit.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// Issues an access that is executed at issue: all memory instructions except atomics to global
/// memory.
template <class ThreadGrouping>
template <bool kPlanned>
void IssueStage<ThreadGrouping>::issue_access(WarpSlot warp, MemoryAction action) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  const LaunchSpaces spaces{.local_bytes = slot.grid->launch->local_bytes,
                            .parameters = slot.grid->bases.parameters};
  const auto passes = grouping_.passes(warp, info);
  if constexpr (kPlanned) plans_.make(warp, slot, grouping_.static_warps(warp), passes);
  grouping_.execute(warp, left_pipeline(now_));
  const bool mixes_static_warps = std::any_of(
      passes.begin(), passes.end(), [](const Pass& pass) { return pass.static_warp == nullptr; });
  if (mixes_static_warps) gathered_.gather(grouping_.static_warps(warp), passes.size());
  IssuedInstruction issued{warp, table, info};
  const MemoryStage::Token token = memory_.begin(warp, slot.pc, info, now_);
  Cycle done = now_;
  bool accesses_memory = !kPlanned;
  const Cycle last_issue =
      for_each_pass(warp, passes, [&](std::size_t i, const Pass& pass, Cycle at) {
        const auto [issued_at, start] = read_sources<kPlanned>(issued, pass, i, at);
        if constexpr (kPlanned) {
          if (plans_[i].skips_unit() && action == MemoryAction::load) {
            done = std::max(done, start + plans_[i].skip_latency);
            return issued_at;
          }
          accesses_memory = true;
        }
        sub_cores_.of(warp).units.add_active_cycles(start, Cycles(1));
        const MemoryPass access =
            pass.static_warp == nullptr
                ? gathered_.pass(i, action)
                : MemoryPass{.action = action,
                             .lanes = LaneMask(pass.static_warp->warp->context.active),
                             .addresses = &pass.static_warp->warp->context.address(),
                             .hardware_warp = pass.static_warp->hardware_warp};
        const bool accesses = !access.lanes.empty() && info.bytes_per_lane > 0;
        if (accesses) memory_.send(token, access, spaces, start);
        if (!accesses || action == MemoryAction::store) done = std::max(done, left_pipeline(start));
        return issued_at;
      });
  const Cycle completed = memory_.end(token);
  if (action != MemoryAction::store) done = std::max(done, completed);
  done = write_memory_results<kPlanned>(issued, token, done);
  finish_issue<kPlanned>(
      warp, passes,
      {.at = last_issue,
       .done = done,
       .computed = done,
       .reason = accesses_memory ? reason_of_wait_for(info, done != Cycle::never())
                                 : WaitReason::fixed_latency_result,
       .access = token});
}

/// Issues an atomic. To global memory, each static warp sends one atomic, which the memory
/// partition performs when it arrives. Atomics to shared memory are executed at issue.
template <class ThreadGrouping>
template <bool kPlanned>
void IssueStage<ThreadGrouping>::issue_atomic(WarpSlot warp) {
  const Slot& slot = warps_[warp];
  const IssueInfo& info = *slot.next;
  const IssueTable& table = slot.grid->table;
  if (info.route == MemoryRoute::shared) return issue_access<kPlanned>(warp, MemoryAction::atomic);
  AtomicsInFlight& atomics = memory_.atomics();
  std::array<std::uint32_t, 32> numbers{};
  std::size_t count = 0;
  bool all_captured = true;
  bool all_shared = true;
  for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
    const std::uint32_t number = numbers[count++] = atomics.add(*static_warp.warp);
    exec::DeferredAtomic& atomic = atomics[number].work;
    const bool captured = static_warp.block->capture_atomic(*static_warp.warp, slot.pc, atomic);
    all_captured = all_captured && captured;
    all_shared = all_shared && (captured ? atomic.lanes().empty() : atomic.in_shared_memory());
  }
  if (!all_captured) {
    for (std::size_t i = 0; i < count; ++i) atomics.discard(numbers[i]);
    if (all_shared) return issue_access<kPlanned>(warp, MemoryAction::atomic);
    // Some lanes access shared memory, others global memory. This is so rare that it is executed
    // between epochs, like a chip-wide instruction.
    return issue_chip_wide(warp);
  }
  if (slot.grid->launch->access_observer != nullptr) [[unlikely]] {
    report_atomics(warp, numbers);
  }
  const auto passes = grouping_.passes(warp, info);
  if constexpr (kPlanned) plans_.make(warp, slot, grouping_.static_warps(warp), passes);
  grouping_.skip(warp);
  IssuedInstruction issued{warp, table, info};
  const MemoryStage::Token token = memory_.begin(warp, slot.pc, info, now_);
  Cycle done = now_;
  const Cycle last_issue =
      for_each_pass(warp, passes, [&](std::size_t i, const Pass& pass, Cycle at) {
        const auto [issued_at, start] = read_sources<kPlanned>(issued, pass, i, at);
        sub_cores_.of(warp).units.add_active_cycles(start, Cycles(1));
        const exec::DeferredAtomic& atomic = atomics[numbers[i]].work;
        if (atomic.lanes().empty()) {
          done = std::max(done, left_pipeline(start));
          atomics.discard(numbers[i]);
          return issued_at;
        }
        memory_.send(token,
                     {.action = MemoryAction::atomic,
                      .lanes = atomic.lanes(),
                      .addresses = &atomic.addresses(),
                      .hardware_warp = pass.static_warp->hardware_warp,
                      .atomic = numbers[i]},
                     {}, start);
        return issued_at;
      });
  done = write_memory_results<kPlanned>(issued, token, std::max(done, memory_.end(token)));
  finish_issue<kPlanned>(warp, passes,
                         {.at = last_issue,
                          .done = done,
                          .computed = done,
                          .reason = WaitReason::long_latency_result,
                          .access = token});
}

/// Reports atomics to the observer of the launch. `numbers`: their numbers in AtomicsInFlight, by
/// static warp.
template <class ThreadGrouping>
void IssueStage<ThreadGrouping>::report_atomics(WarpSlot warp,
                                                const std::array<std::uint32_t, 32>& numbers) {
  std::size_t i = 0;
  for (const StaticWarp& static_warp : grouping_.static_warps(warp)) {
    exec::observe_atomic(static_warp.warp->context, warps_[warp].pc,
                         memory_.atomics()[numbers[i++]].work);
  }
}

}  // namespace heddle::sm
