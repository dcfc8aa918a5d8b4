#pragma once

// How a warp's threads go through a unit: in slices of its lanes, one after another.

#include <algorithm>
#include <cstdint>

#include "base/lane_mask.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

/// When a thread of a warp is taken up, counted from the warp's first.
constexpr std::uint64_t turn_of(std::uint32_t thread, const UnitDescription& unit) {
  return std::uint64_t{thread / unit.lanes} * unit.interval;
}

/// When the last one is.
constexpr std::uint64_t last_turn(const UnitDescription& unit) {
  return turn_of(static_cast<std::uint32_t>(kWarpSize) - 1, unit);
}

/// How much later than `latency` after the producer's start a reader can start, if each of its
/// threads only waits for its own value (Xiang, Toward Efficient SIMT Execution, figure 38). None
/// where the reader takes threads up no faster.
constexpr std::uint64_t lag_of_chain(const UnitDescription& producer,
                                     const UnitDescription& reader) {
  std::uint64_t lag = 0;
  for (std::uint32_t thread = 0; thread < static_cast<std::uint32_t>(kWarpSize); ++thread) {
    const std::uint64_t written = turn_of(thread, producer);
    const std::uint64_t read = turn_of(thread, reader);
    if (written > read) lag = std::max(lag, written - read);
  }
  return lag;
}

/// How much later than `latency` after its start a unit's results count as usable: with its last
/// slice or, where readers follow thread by thread, as the least favourable reader can.
constexpr std::uint64_t lag_of(const UnitDescription& unit, const UnitsDescription& all) {
  if (!all.chained) return last_turn(unit);
  return std::max({lag_of_chain(unit, all.integer), lag_of_chain(unit, all.fp32),
                   lag_of_chain(unit, all.fp64), lag_of_chain(unit, all.special)});
}

}  // namespace heddle::sm
