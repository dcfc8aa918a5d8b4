#pragma once

// A bypass (forwarding) path from the last stage of the arithmetic units to their first stage
// (Xiang, Toward Efficient SIMT Execution, section 4.4.1). It lies within a lane: a thread's result
// is forwarded to the next instruction of the same thread. The threads of a warp go through a unit
// in slices of the unit's width; each slice is forwarded as soon as it is computed. Operands and
// results of the special-function and memory units always go through the register file.

#include <array>
#include <cstddef>

#include "base/cycle.h"
#include "sm/instructions/unit_kind.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

class Bypass {
 public:
  /// The number of unit kinds that the bypass connects: integer, fp32 and fp64.
  static constexpr std::size_t kUnits = static_cast<std::size_t>(UnitKind::fp64) + 1;

  /// No bypass.
  Bypass() = default;
  explicit Bypass(const UnitsDescription& units);

  bool is_present() const { return is_present_; }
  /// Whether the bypass forwards results of unit `producer` to unit `reader`.
  bool connects(UnitKind producer, UnitKind reader) const {
    return is_present_ && static_cast<std::size_t>(producer) < kUnits &&
           static_cast<std::size_t>(reader) < kUnits;
  }
  /// The first cycle in which an instruction in unit `reader` that depends on a result of unit
  /// `producer` may issue. `computed`: the cycle from which the result could be used without the
  /// bypass. The bypass must connect the two units.
  Cycle earliest_issue(UnitKind producer, UnitKind reader, Cycle computed) const {
    return Cycle(
        computed.number -
        saved_[static_cast<std::size_t>(producer)][static_cast<std::size_t>(reader)].count);
  }

 private:
  bool is_present_ = false;
  /// Cycles that the bypass saves, by producer and reader.
  std::array<std::array<Cycles, kUnits>, kUnits> saved_{};
};

}  // namespace heddle::sm
