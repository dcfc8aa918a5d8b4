#pragma once

// A warp's threads go through a unit in slices of the unit's width, one after another. These
// functions compute the timing of slices.

#include <algorithm>
#include <cstdint>

#include "base/lane_mask.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

/// The cycle in which the unit accepts a thread, counted from the warp's first slice.
constexpr std::uint64_t slice_start(std::uint32_t thread, const UnitDescription& unit) {
  return std::uint64_t{thread / unit.lanes} * unit.interval;
}

/// The cycle in which the unit accepts the warp's last slice.
constexpr std::uint64_t last_slice_start(const UnitDescription& unit) {
  return slice_start(static_cast<std::uint32_t>(kWarpSize) - 1, unit);
}

/// The delay, beyond the producer's latency, until a reader can start if each of its threads waits
/// for its own value only (Xiang, Toward Efficient SIMT Execution, figure 38). It is 0 if the
/// reader does not accept threads faster than the producer.
constexpr std::uint64_t chained_lag(const UnitDescription& producer,
                                    const UnitDescription& reader) {
  std::uint64_t lag = 0;
  for (std::uint32_t thread = 0; thread < static_cast<std::uint32_t>(kWarpSize); ++thread) {
    const std::uint64_t written = slice_start(thread, producer);
    const std::uint64_t read = slice_start(thread, reader);
    if (written > read) lag = std::max(lag, written - read);
  }
  return lag;
}

/// The delay, beyond a unit's latency, until its results count as usable: the start of the last
/// slice or, with chained units, the largest delay for any reader.
constexpr std::uint64_t result_lag(const UnitDescription& unit, const UnitsDescription& all) {
  if (!all.chained) return last_slice_start(unit);
  return std::max({chained_lag(unit, all.integer), chained_lag(unit, all.fp32),
                   chained_lag(unit, all.fp64), chained_lag(unit, all.special)});
}

}  // namespace heddle::sm
