#pragma once

// Stall accounting attributes each cycle of a scheduler, and each cycle of a resident warp, to
// exactly one cause.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/hazards/structural_hazards.h"
#include "sm/lookahead/lookahead_unit.h"
#include "sm/schedule/warp_schedulers.h"
#include "sm/selection/issue_cycle.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

class StallAccounting {
 public:
  /// `hazards`: those of each sub-core. `lookahead`: null if no warp runs ahead.
  StallAccounting(WarpTable& warps, const WarpSchedulers& schedulers,
                  std::span<const StructuralHazards> hazards, LookaheadUnit* lookahead = nullptr)
      : warps_(warps), schedulers_(schedulers), hazards_(hazards), lookahead_(lookahead) {}

  /// Counts `cycles` cycles, all with the outcome `cycle`.
  void count(const IssueCycle& cycle, std::uint64_t cycles) {
    selected_ += cycle.issued;
    if (!cycle.has_issued()) idle_cycles_ += cycles;
    for (std::uint64_t rest = cycle.idle; rest != 0; rest &= rest - 1) {
      count_idle(static_cast<std::uint32_t>(std::countr_zero(rest)), cycle, cycles);
    }
    if (warps_.ready() != 0) count_ready(cycle, cycles);
    counted_until_ = cycle.now + Cycles(cycles);
  }
  /// Counts the cycles before `until` that have not been counted yet as cycles in which no warp was
  /// resident.
  void count_without_warps(Cycle until) {
    if (counted_until_ >= until) return;
    no_warps_ += (until - counted_until_).count * schedulers_.count();
    counted_until_ = until;
  }
  void begin_counting(Cycle at) {
    counted_until_ = at;
    exposed_since_.fill(Cycle::never());
  }

  void declare(CounterList& counters);

 private:
  StallCause cause_of_stuck(std::uint32_t scheduler, WarpSet stuck, const IssueCycle& cycle) const;
  StallCause cause_of_ready(std::uint32_t scheduler, WarpSet ready, const IssueCycle& cycle) const;
  std::optional<StallCause> nearest_cause(std::uint32_t scheduler, WarpSet warps,
                                          const IssueCycle& cycle) const;
  std::optional<StallCause> nearest_not_excluded(std::uint32_t scheduler, WarpSet warps,
                                                 const IssueCycle& cycle) const;
  void count_idle(std::uint32_t scheduler, const IssueCycle& cycle, std::uint64_t cycles);
  void count_exposed_branches(WarpSet resolving);
  void count_ready(const IssueCycle& cycle, std::uint64_t cycles);
  void count_stuck(const StructuralHazards& hazards, WarpSet stuck, const IssueCycle& cycle,
                   std::uint64_t cycles);

  WarpTable& warps_;
  const WarpSchedulers& schedulers_;
  std::span<const StructuralHazards> hazards_;  ///< By sub-core.
  LookaheadUnit* lookahead_;                    ///< Null if no warp runs ahead.
  Cycle counted_until_;
  // Cycles of schedulers, summed over schedulers. Each is counted once: as selected, as without
  // warps, or under a stall cause.
  std::uint64_t selected_ = 0;  ///< Also the number of cycles of warps that issued.
  std::uint64_t no_warps_ = 0;
  ByStallCause<std::uint64_t> idle_{};
  std::uint64_t idle_cycles_ = 0;  ///< Cycles of the multiprocessor in which no scheduler issued.
  /// Branches for which warps wait, or have waited, in idle cycles of their schedulers.
  std::uint64_t exposed_branches_ = 0;
  /// By warp: Slot::since of the wait for its last exposed branch; never() if there is none.
  std::array<Cycle, kMaxWarps> exposed_since_{};
  // Cycles of warps, summed over warps. WarpTable counts those of warps that wait.
  std::uint64_t not_selected_ = 0;
};

}  // namespace heddle::sm
