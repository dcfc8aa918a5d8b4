#pragma once

// The arithmetic units: when each can take a warp, and when results can be used.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/units/active_cycles.h"
#include "sm/units/unit_kind.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

struct UnitCounters {
  std::uint64_t instructions = 0;
  std::uint64_t busy_cycles = 0;

  void declare(CounterList& counters);
};

/// Those units that are no part of the memory system: integer, fp32, fp64 and special.
class ExecutionUnits {
 public:
  /// Throws InputError.
  explicit ExecutionUnits(const UnitsDescription& description);

  static constexpr bool has(UnitKind kind) { return static_cast<std::size_t>(kind) < kUnits; }

  /// The first cycle in which the unit can take another warp.
  Cycle free_from(UnitKind kind) const { return free_from_[first_free(unit_of(kind))]; }
  /// A warp's instruction, its values at hand at `start`, goes through the unit as soon as that is
  /// free; one that stands for `expansion` hardware instructions, so many times. Returns the first
  /// cycle in which others can use its results.
  Cycle execute(UnitKind kind, Cycle start, std::uint32_t expansion) {
    const Unit& unit = unit_of(kind);
    return execute(kind, start, expansion, unit.pass, unit.result);
  }
  /// As execute(), where only so many of the warp's slices go through, or all if it has fewer.
  Cycle execute_slices(UnitKind kind, Cycle start, std::uint32_t expansion, std::uint32_t slices);
  /// As execute(), of an instruction that is given up at `until`: what it stands for takes the unit
  /// as far as it has begun by then.
  void execute_in_vain(UnitKind kind, Cycle start, std::uint32_t expansion, Cycle until) {
    const Unit& unit = unit_of(kind);
    const Cycle begin = std::max(start, free_from(kind));
    const std::uint64_t begun =
        begin < until ? ((until - begin).count + unit.pass.count - 1) / unit.pass.count : 1;
    execute(kind, start, std::min(expansion, static_cast<std::uint32_t>(begun)), unit.pass,
            unit.result);
  }
  /// An instruction of another unit, the load-store unit or the one that evaluates branches, that
  /// takes its lanes up from `start`.
  void also_active(Cycle start, Cycles length) { active_.add(start, length); }

  void declare(CounterList& counters);

 private:
  /// Those up to the special-function unit; what comes after it is no unit of this kind.
  static constexpr std::size_t kUnits = static_cast<std::size_t>(UnitKind::special) + 1;
  static constexpr std::size_t kMostPipes = 8;

  struct Unit {
    std::uint32_t first_pipe = 0;
    std::uint32_t pipes = 1;
    Cycles pass;     ///< For how long a warp takes the unit.
    Cycles result;   ///< From its start until its results can be used.
    Cycles slice;    ///< For how long a slice of the warp takes it.
    Cycles latency;  ///< From a slice's start until its own results can be used.
  };

  Cycle execute(UnitKind kind, Cycle start, std::uint32_t expansion, Cycles pass, Cycles result) {
    Cycle& free_from = free_from_[first_free(unit_of(kind))];
    start = std::max(start, free_from);
    const Cycles taken = pass * expansion;
    free_from = start + taken;
    UnitCounters& counters = counters_[static_cast<std::size_t>(kind)];
    ++counters.instructions;
    counters.busy_cycles += taken.count;
    active_.add(start, taken);
    return start + pass * (expansion - 1) + result;
  }

  const Unit& unit_of(UnitKind kind) const {
    assert(has(kind));
    return units_[static_cast<std::size_t>(kind)];
  }
  std::size_t first_free(const Unit& unit) const {
    std::size_t first = unit.first_pipe;
    for (std::size_t pipe = first + 1; pipe < unit.first_pipe + unit.pipes; ++pipe) {
      if (free_from_[pipe] < free_from_[first]) first = pipe;
    }
    return first;
  }

  std::array<Unit, kUnits> units_{};
  std::array<Cycle, kUnits * kMostPipes> free_from_{};  ///< Of each pipe.
  std::array<UnitCounters, kUnits> counters_{};
  ActiveCycles active_;
};

}  // namespace heddle::sm
