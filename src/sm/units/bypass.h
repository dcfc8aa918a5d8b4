#pragma once

// A path from the last stage of the arithmetic units back to their first (Xiang, Toward Efficient
// SIMT Execution, section 4.4.1). It lies within a lane, so a thread's result meets the thread's
// own next instruction, slice by slice. Special functions and memory have none: what they read or
// write goes through the register file.

#include <array>
#include <cstddef>

#include "base/cycle.h"
#include "sm/units/unit_kind.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

class Bypass {
 public:
  /// The units at its ends: those up to fp64.
  static constexpr std::size_t kUnits = static_cast<std::size_t>(UnitKind::fp64) + 1;

  /// There is none.
  Bypass() = default;
  explicit Bypass(const UnitsDescription& units);

  bool any() const { return is_there_; }
  bool joins(UnitKind producer, UnitKind reader) const {
    return is_there_ && static_cast<std::size_t>(producer) < kUnits &&
           static_cast<std::size_t>(reader) < kUnits;
  }
  /// When an instruction of `reader`, which it joins, may issue for results that can be used from
  /// `computed` on if they are read from the register file.
  Cycle passes_on(UnitKind producer, UnitKind reader, Cycle computed) const {
    return Cycle(
        computed.number -
        saved_[static_cast<std::size_t>(producer)][static_cast<std::size_t>(reader)].count);
  }

 private:
  bool is_there_ = false;
  std::array<std::array<Cycles, kUnits>, kUnits> saved_{};  ///< By producer and reader.
};

}  // namespace heddle::sm
