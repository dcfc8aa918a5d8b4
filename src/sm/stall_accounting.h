#pragma once

// Where a multiprocessor's cycles go: each of a scheduler's cycles, and each of a resident warp's,
// has one name.

#include <bit>
#include <cstdint>
#include <optional>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/structural_hazards.h"
#include "sm/warp_schedulers.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// What became of a cycle, or of several that are alike.
struct IssueCycle {
  Cycle now;
  std::uint32_t issued = 0;   ///< Schedulers that issued what is executed.
  std::uint32_t in_vain = 0;  ///< Those that issued an instruction of a wrong path.
  std::uint32_t idle = 0;     ///< Those that did not: a bit each.
  WarpSet eligible = 0;       ///< Warps that could have issued; those that did included.
  WarpSet withheld = 0;  ///< Of these, those that their scheduler's policy did not choose from.
  WarpSet held = 0;      ///< Those whose schedulers issued a moment before.
  WarpSet behind = 0;    ///< Those that lacked room because of other warps' results under way.
};

class StallAccounting {
 public:
  StallAccounting(WarpTable& warps, const WarpSchedulers& schedulers,
                  const StructuralHazards& hazards)
      : warps_(warps), schedulers_(schedulers), hazards_(hazards) {}

  /// So many cycles are as `cycle` is.
  void count(const IssueCycle& cycle, std::uint64_t cycles) {
    selected_ += cycle.issued;
    if (cycle.issued + cycle.in_vain == 0) idle_cycles_ += cycles;
    for (std::uint32_t left = cycle.idle; left != 0; left &= left - 1) {
      count_idle(static_cast<std::uint32_t>(std::countr_zero(left)), cycle, cycles);
    }
    if (warps_.ready() != 0) count_ready(cycle, cycles);
    counted_until_ = cycle.now + Cycles(cycles);
  }
  /// Cycles not counted yet up to `until` had no warp.
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
  std::optional<StallCause> nearest_of_chosen(std::uint32_t scheduler, WarpSet warps,
                                              const IssueCycle& cycle) const;
  void count_idle(std::uint32_t scheduler, const IssueCycle& cycle, std::uint64_t cycles);
  void count_ready(const IssueCycle& cycle, std::uint64_t cycles);

  WarpTable& warps_;
  const WarpSchedulers& schedulers_;
  const StructuralHazards& hazards_;
  Cycle counted_until_;
  // Cycles of schedulers, each under one name.
  std::uint64_t selected_ = 0;  ///< As often as warps are.
  std::uint64_t no_warps_ = 0;
  ByStallCause<std::uint64_t> idle_{};
  std::uint64_t idle_cycles_ = 0;
  // Of warps; those that wait are counted by the table.
  std::uint64_t not_selected_ = 0;
};

}  // namespace heddle::sm
