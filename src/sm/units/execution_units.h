#pragma once

// The timing of the arithmetic and special-function units: when each can accept a warp, and when
// results can be used. The threads of a warp go through a unit in slices of the unit's width.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/instructions/unit_kind.h"
#include "sm/units/active_cycles.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

struct UnitCounters {
  std::uint64_t instructions = 0;  ///< Instructions of warps.
  std::uint64_t busy_cycles = 0;   ///< Cycles in which a pipe accepted threads, summed over pipes.
  /// Operations of single lanes; each hardware instruction of an expanded instruction counts.
  std::uint64_t lane_operations = 0;

  void declare(CounterList& counters);
};

/// The units outside the memory system: integer, fp32, fp64 and special.
class ExecutionUnits {
 public:
  /// Throws InputError if a parameter of a unit is not possible.
  explicit ExecutionUnits(const UnitsDescription& description);

  /// Whether the kind is one of these units.
  static constexpr bool has(UnitKind kind) { return static_cast<std::size_t>(kind) < kUnits; }

  /// The first cycle in which the unit can accept another warp.
  Cycle free_from(UnitKind kind) const { return free_from_[first_free(unit_of(kind))]; }
  /// Books the unit for a warp's instruction from `start` on, when its operands are available, or
  /// from when the unit is free. An instruction that represents `expansion` hardware instructions
  /// goes through the unit that many times. Returns the first cycle in which its results can be
  /// used.
  Cycle execute(UnitKind kind, Cycle start, std::uint32_t expansion) {
    return execute(kind, start, expansion, unit_of(kind).pass);
  }
  /// Like execute(), but at most `slices` of the warp's slices occupy the unit. Results are not
  /// available earlier for that. `slices` must not be 0.
  Cycle execute_slices(UnitKind kind, Cycle start, std::uint32_t expansion, std::uint32_t slices);
  /// Counts the operations of an instruction that is computed in `lanes` lanes. This is separate
  /// from execute(), because energy depends on it, but time does not.
  void count_lanes(UnitKind kind, std::uint32_t expansion, std::uint64_t lanes) {
    counters_[static_cast<std::size_t>(kind)].lane_operations += lanes * expansion;
  }
  /// Like execute() and count_lanes(), for an instruction after a mispredicted branch that is
  /// squashed at `until`. The unit is occupied by the hardware instructions that have started
  /// before `until`, or by one.
  void execute_wrong_path(UnitKind kind, Cycle start, std::uint32_t expansion, Cycle until,
                          std::uint64_t lanes) {
    const Unit& unit = unit_of(kind);
    const Cycle begin = std::max(start, free_from(kind));
    const std::uint64_t started =
        begin < until ? ((until - begin).count + unit.pass.count - 1) / unit.pass.count : 1;
    expansion = std::min(expansion, static_cast<std::uint32_t>(started));
    execute(kind, start, expansion, unit.pass);
    count_lanes(kind, expansion, lanes);
  }
  /// Counts active cycles of a unit that is not simulated here: the load-store unit, or the unit
  /// that evaluates branches.
  void add_active_cycles(Cycle start, Cycles length) { active_.add(start, length); }

  void declare(CounterList& counters);

 private:
  /// The number of unit kinds that are simulated here: the kinds up to `special`.
  static constexpr std::size_t kUnits = static_cast<std::size_t>(UnitKind::special) + 1;
  static constexpr std::size_t kMaxPipes = 8;

  struct Unit {
    std::uint32_t first_pipe = 0;  ///< Index into free_from_.
    std::uint32_t pipes = 1;       ///< The number of pipes: copies of the unit.
    Cycles pass;                   ///< The time for which a warp occupies a pipe.
    Cycles result;                 ///< From a warp's start until its results can be used.
    Cycles slice;                  ///< The time for which a slice of a warp occupies a pipe.
  };

  /// `occupied`: the time for which each hardware instruction occupies a pipe.
  Cycle execute(UnitKind kind, Cycle start, std::uint32_t expansion, Cycles occupied) {
    const Unit& unit = unit_of(kind);
    Cycle& free_from = free_from_[first_free(unit)];
    start = std::max(start, free_from);
    const Cycles busy = occupied * expansion;
    free_from = start + busy;
    UnitCounters& counters = counters_[static_cast<std::size_t>(kind)];
    ++counters.instructions;
    counters.busy_cycles += busy.count;
    active_.add(start, busy);
    return start + unit.pass * (expansion - 1) + unit.result;
  }

  const Unit& unit_of(UnitKind kind) const {
    assert(has(kind));
    return units_[static_cast<std::size_t>(kind)];
  }
  /// The index of the unit's pipe that is free first.
  std::size_t first_free(const Unit& unit) const {
    std::size_t first = unit.first_pipe;
    for (std::size_t pipe = first + 1; pipe < unit.first_pipe + unit.pipes; ++pipe) {
      if (free_from_[pipe] < free_from_[first]) first = pipe;
    }
    return first;
  }

  std::array<Unit, kUnits> units_{};
  std::array<Cycle, kUnits * kMaxPipes> free_from_{};  ///< By pipe, kMaxPipes for each unit.
  std::array<UnitCounters, kUnits> counters_{};
  ActiveCycles active_;
};

}  // namespace heddle::sm
