#pragma once

// The 32 threads of a warp go through a unit in slices of the unit's width
// (UnitDescription::lanes), one after another. These functions compute the timing of slices.

#include <algorithm>
#include <cstdint>

#include "base/lane_mask.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

/// When the unit accepts a thread (0 to 31), in cycles after it accepts the warp's first slice.
constexpr std::uint64_t slice_start(std::uint32_t thread, const UnitDescription& unit) {
  return std::uint64_t{thread / unit.lanes} * unit.interval;
}

/// When the unit accepts the warp's last slice, in cycles after it accepts the first.
constexpr std::uint64_t last_slice_start(const UnitDescription& unit) {
  return slice_start(static_cast<std::uint32_t>(kWarpSize) - 1, unit);
}

/// The delay, in cycles beyond the producer's latency, until a dependent warp can start in the unit
/// `reader` if each thread waits only for its own value (Xiang, Toward Efficient SIMT Execution,
/// figure 38). It is 0 if the reader accepts threads no faster than the producer.
constexpr std::uint64_t chained_lag(const UnitDescription& producer,
                                    const UnitDescription& reader) {
  std::uint64_t lag = 0;
  for (std::uint32_t thread = 0; thread < static_cast<std::uint32_t>(kWarpSize); ++thread) {
    const std::uint64_t write = slice_start(thread, producer);
    const std::uint64_t read = slice_start(thread, reader);
    if (write > read) lag = std::max(lag, write - read);
  }
  return lag;
}

/// The delay, in cycles beyond the unit's latency, until its results can be used. Without chained
/// units (UnitsDescription::chained), a reader waits for the last slice. With them, it is the
/// largest chained_lag() for any reader.
constexpr std::uint64_t result_lag(const UnitDescription& unit, const UnitsDescription& all) {
  if (!all.chained) return last_slice_start(unit);
  return std::max({chained_lag(unit, all.integer), chained_lag(unit, all.fp32),
                   chained_lag(unit, all.fp64), chained_lag(unit, all.special)});
}

}  // namespace heddle::sm
