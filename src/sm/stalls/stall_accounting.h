#pragma once

// Stall accounting: each cycle of a scheduler, and each cycle of a resident warp, is attributed to
// exactly one cause.

#include <bit>
#include <cstdint>
#include <optional>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/schedule/warp_schedulers.h"
#include "sm/stalls/structural_hazards.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// The outcome of a cycle, or of several equal ones.
struct IssueCycle {
  Cycle now;
  std::uint32_t issued = 0;      ///< Schedulers that issued an instruction that is executed.
  std::uint32_t wrong_path = 0;  ///< Schedulers that issued an instruction of a wrong path.
  std::uint32_t idle = 0;        ///< Schedulers that issued nothing, a bit each.
  WarpSet eligible = 0;          ///< Warps that could have issued, including those that did.
  /// The eligible warps among which their scheduler's policy did not choose.
  WarpSet withheld = 0;
  /// Warps whose scheduler is still busy with an earlier instruction.
  WarpSet busy_scheduler_warps = 0;
  /// Warps without a free entry of a shared scoreboard, because other warps' results in flight
  /// occupy them.
  WarpSet behind_results = 0;
};

class StallAccounting {
 public:
  StallAccounting(WarpTable& warps, const WarpSchedulers& schedulers,
                  const StructuralHazards& hazards)
      : warps_(warps), schedulers_(schedulers), hazards_(hazards) {}

  /// Counts `cycles` equal cycles.
  void count(const IssueCycle& cycle, std::uint64_t cycles) {
    selected_ += cycle.issued;
    if (cycle.issued + cycle.wrong_path == 0) idle_cycles_ += cycles;
    for (std::uint32_t left = cycle.idle; left != 0; left &= left - 1) {
      count_idle(static_cast<std::uint32_t>(std::countr_zero(left)), cycle, cycles);
    }
    if (warps_.ready() != 0) count_ready(cycle, cycles);
    counted_until_ = cycle.now + Cycles(cycles);
  }
  /// Counts the cycles up to `until` that have not been counted yet as cycles without a warp.
  void count_without_warps(Cycle until) {
    if (counted_until_ >= until) return;
    no_warps_ += (until - counted_until_).count * schedulers_.count();
    counted_until_ = until;
  }
  void begin_counting(Cycle at) { counted_until_ = at; }

  void declare(CounterList& counters);

 private:
  StallCause cause_of(std::uint32_t scheduler, WarpSet stuck, const IssueCycle& cycle) const;
  StallCause cause_of_ready(std::uint32_t scheduler, WarpSet ready, const IssueCycle& cycle) const;
  std::optional<StallCause> nearest_cause(std::uint32_t scheduler, WarpSet warps,
                                          const IssueCycle& cycle) const;
  std::optional<StallCause> nearest_not_passed_over(std::uint32_t scheduler, WarpSet warps,
                                                    const IssueCycle& cycle) const;
  void count_idle(std::uint32_t scheduler, const IssueCycle& cycle, std::uint64_t cycles);
  void count_ready(const IssueCycle& cycle, std::uint64_t cycles);

  WarpTable& warps_;
  const WarpSchedulers& schedulers_;
  const StructuralHazards& hazards_;
  Cycle counted_until_;
  // Cycles of schedulers, each under one cause.
  std::uint64_t selected_ = 0;  ///< The same for schedulers and for warps.
  std::uint64_t no_warps_ = 0;
  ByStallCause<std::uint64_t> idle_{};
  std::uint64_t idle_cycles_ = 0;
  // Cycles of warps; WarpTable counts those of warps that wait.
  std::uint64_t not_selected_ = 0;
};

}  // namespace heddle::sm
