#include "sm/accounting/stall_accounting.h"

#include <array>
#include <string>

namespace heddle::sm {
namespace {

/// All reasons for which warps wait, in the order of their causes in kNearestToIssue.
constexpr std::array<WaitReason, kWaitReasons> kNearestWaits = [] {
  std::array<WaitReason, kWaitReasons> reasons{};
  std::size_t count = 0;
  for (const StallCause cause : kNearestToIssue) {
    for (std::size_t i = 0; i < kWaitReasons; ++i) {
      const WaitReason reason = ByWaitReason<int>::index_at(i);
      if (cause_of(reason) == cause) reasons[count++] = reason;
    }
  }
  return reasons;
}();

}  // namespace

/// Attributes cycles in which the scheduler issued nothing to the cause of the warp that is nearest
/// to issuing. Warps that the policy excludes from its choice count only if there are no others.
void StallAccounting::count_idle(std::uint32_t scheduler, const IssueCycle& cycle,
                                 std::uint64_t cycles) {
  const WarpSet warps = schedulers_.warps_of(scheduler);
  const auto cause = schedulers_[scheduler].may_exclude_warps()
                         ? nearest_not_excluded(scheduler, warps, cycle)
                         : nearest_cause(scheduler, warps, cycle);
  (cause ? idle_[*cause] : no_warps_) += cycles;
  const WarpSet resolving = warps_.waiting_for(WaitReason::branch_resolution) & warps;
  if (resolving != 0) count_exposed_branches(resolving);
  if (lookahead_ != nullptr && cause == StallCause::long_scoreboard) [[unlikely]] {
    const SchedulerState& state = schedulers_.state(scheduler);
    lookahead_->count_stalled(state, hazards_[state.sub_core], cycles);
  }
}

/// Counts each branch once, in the first idle cycle of its scheduler during the warp's wait.
void StallAccounting::count_exposed_branches(WarpSet resolving) {
  for_each_warp(resolving, [&](WarpSlot warp) {
    const Cycle since = warps_[warp].since;
    if (exposed_since_[warp] == since) return;
    exposed_since_[warp] = since;
    ++exposed_branches_;
  });
}

[[gnu::noinline]] std::optional<StallCause> StallAccounting::nearest_not_excluded(
    std::uint32_t scheduler, WarpSet warps, const IssueCycle& cycle) const {
  const WarpSet excluded_warps = schedulers_[scheduler].excluded_warps();
  const auto cause = nearest_cause(scheduler, warps & ~excluded_warps, cycle);
  return cause || excluded_warps == 0 ? cause : nearest_cause(scheduler, warps, cycle);
}

[[gnu::always_inline]] inline std::optional<StallCause> StallAccounting::nearest_cause(
    std::uint32_t scheduler, WarpSet warps, const IssueCycle& cycle) const {
  if (const WarpSet ready = warps_.ready() & warps; ready != 0) {
    return cause_of_ready(scheduler, ready, cycle);
  }
  for (const WaitReason reason : kNearestWaits) {
    if ((warps_.waiting_for(reason) & warps) != 0) return cause_of(reason);
  }
  return std::nullopt;
}

[[gnu::noinline]] StallCause StallAccounting::cause_of_ready(std::uint32_t scheduler, WarpSet ready,
                                                             const IssueCycle& cycle) const {
  const WarpSet stuck = ready & ~cycle.withheld;
  return stuck != 0 ? cause_of_stuck(scheduler, stuck, cycle) : StallCause::withheld;
}

/// Why the ready warps in `stuck` cannot issue: the first cause in kNearestToIssue, except that
/// dispatch comes first, that applies to one of them.
StallCause StallAccounting::cause_of_stuck(std::uint32_t scheduler, WarpSet stuck,
                                           const IssueCycle& cycle) const {
  const SchedulerState& state = schedulers_.state(scheduler);
  const StructuralHazards& hazards = hazards_[state.sub_core];
  if (state.is_busy_at(cycle.now) || hazards.are_collectors_full(cycle.now) ||
      (stuck & cycle.behind_results) != 0) {
    return StallCause::dispatch;
  }
  const StructuralHazards::ThrottledWarps by_need = hazards.throttled(stuck);
  if (by_need.math != 0) return StallCause::math_pipe_throttle;
  return by_need.mio != 0 ? StallCause::mio_throttle : StallCause::lg_throttle;
}

/// Counts the cycles of warps that were ready but did not issue.
void StallAccounting::count_ready(const IssueCycle& cycle, std::uint64_t cycles) {
  WarpStallCycles& stall_cycles = warps_.stall_cycles();
  const WarpSet ready = warps_.ready();
  const WarpSet stuck = ready & ~cycle.eligible & ~cycle.busy_scheduler_warps;
  not_selected_ += count_of(ready & cycle.eligible & ~cycle.withheld) * cycles;
  if (cycle.withheld != 0) {
    stall_cycles.add(StallCause::withheld, count_of(ready & cycle.withheld) * cycles);
  }
  if (cycle.busy_scheduler_warps != 0) {
    stall_cycles.add(StallCause::dispatch, count_of(ready & cycle.busy_scheduler_warps) * cycles);
  }
  if (stuck == 0) return;
  for (const StructuralHazards& hazards : hazards_) {
    count_stuck(hazards, stuck & hazards.warps(), cycle, cycles);
  }
}

/// Counts the cycles of the warps of a sub-core that were ready but found no space.
void StallAccounting::count_stuck(const StructuralHazards& hazards, WarpSet stuck,
                                  const IssueCycle& cycle, std::uint64_t cycles) {
  WarpStallCycles& stall_cycles = warps_.stall_cycles();
  if (hazards.are_collectors_full(cycle.now)) {
    stall_cycles.add(StallCause::dispatch, count_of(stuck) * cycles);
    return;
  }
  if (const WarpSet behind = stuck & cycle.behind_results; behind != 0) {
    const std::uint64_t warp_cycles = count_of(behind) * cycles;
    hazards.count_behind_results(warp_cycles);
    stall_cycles.add(StallCause::dispatch, warp_cycles);
    stuck &= ~behind;
  }
  const StructuralHazards::ThrottledWarps by_need = hazards.throttled(stuck);
  stall_cycles.add(StallCause::math_pipe_throttle, count_of(by_need.math) * cycles);
  stall_cycles.add(StallCause::mio_throttle, count_of(by_need.mio) * cycles);
  stall_cycles.add(StallCause::lg_throttle, count_of(by_need.lg) * cycles);
}

void StallAccounting::declare(CounterList& counters) {
  counters.add("sm.idle_cycles", idle_cycles_, "cycles",
               "with a resident block in which no scheduler issued");
  counters.add("sm.exposed_branches", exposed_branches_, "warp instructions",
               "branches during whose resolution, or the fetch after it, a cycle passed in which "
               "the scheduler issued nothing");
  counters.add("scheduler.selected", selected_, "cycles",
               "in which a scheduler issued what is executed");
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const auto cause = static_cast<StallCause>(i);
    counters.add("scheduler." + std::string(name_of(cause)), idle_[cause], "cycles",
                 meaning_of(cause));
  }
  counters.add("scheduler.no_warps", no_warps_, "cycles", "in which a scheduler had no warp");
  counters.add("warp.selected", selected_, "warp-cycles", "in which a warp issued");
  counters.add("warp.not_selected", not_selected_, "warp-cycles",
               "in which a warp could have issued, but its scheduler picked another one or none");
  for (std::size_t i = 0; i < kStallCauses; ++i) {
    const auto cause = static_cast<StallCause>(i);
    counters.add("warp." + std::string(name_of(cause)), warps_.stall_cycles()[cause], "warp-cycles",
                 meaning_of(cause));
  }
}

}  // namespace heddle::sm
