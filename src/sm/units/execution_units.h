#pragma once

// Timing of the arithmetic units: when each can accept a warp, and when results can be used.

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

/// The units outside the memory system: integer, fp32, fp64 and special.
class ExecutionUnits {
 public:
  /// Throws InputError.
  explicit ExecutionUnits(const UnitsDescription& description);

  static constexpr bool has(UnitKind kind) { return static_cast<std::size_t>(kind) < kUnits; }

  /// The first cycle in which the unit can accept another warp.
  Cycle free_from(UnitKind kind) const { return free_from_[first_free(unit_of(kind))]; }
  /// Books a warp's instruction, whose operands are available at `start`, as soon as the unit is
  /// free. An instruction that represents `expansion` hardware instructions goes through the unit
  /// that many times. Returns the first cycle in which its results can be used.
  Cycle execute(UnitKind kind, Cycle start, std::uint32_t expansion) {
    const Unit& unit = unit_of(kind);
    return execute(kind, start, expansion, unit.pass, unit.result);
  }
  /// Like execute(), but at most `slices` of the warp's slices go through the unit.
  Cycle execute_slices(UnitKind kind, Cycle start, std::uint32_t expansion, std::uint32_t slices);
  /// Like execute(), for an instruction on the wrong path that is squashed at `until`. It occupies
  /// the unit for the hardware instructions that have started by then.
  void execute_wrong_path(UnitKind kind, Cycle start, std::uint32_t expansion, Cycle until) {
    const Unit& unit = unit_of(kind);
    const Cycle begin = std::max(start, free_from(kind));
    const std::uint64_t begun =
        begin < until ? ((until - begin).count + unit.pass.count - 1) / unit.pass.count : 1;
    execute(kind, start, std::min(expansion, static_cast<std::uint32_t>(begun)), unit.pass,
            unit.result);
  }
  /// Counts active cycles of another unit: the load-store unit, or the one that evaluates branches.
  void add_active_cycles(Cycle start, Cycles length) { active_.add(start, length); }

  void declare(CounterList& counters);

 private:
  /// Unit kinds up to the special-function unit; later kinds are not execution units.
  static constexpr std::size_t kUnits = static_cast<std::size_t>(UnitKind::special) + 1;
  static constexpr std::size_t kMostPipes = 8;

  struct Unit {
    std::uint32_t first_pipe = 0;
    std::uint32_t pipes = 1;
    Cycles pass;     ///< The time for which a warp occupies the unit.
    Cycles result;   ///< From a warp's start until its results can be used.
    Cycles slice;    ///< The time for which a slice of a warp occupies the unit.
    Cycles latency;  ///< From a slice's start until the slice's results can be used.
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
  std::array<Cycle, kUnits * kMostPipes> free_from_{};  ///< By pipe.
  std::array<UnitCounters, kUnits> counters_{};
  ActiveCycles active_;
};

}  // namespace heddle::sm
