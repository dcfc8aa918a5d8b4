#pragma once

// The wake wheel, a timing wheel, records in which cycle each sleeping warp wakes. It has an entry
// for each of the next 64 cycles, and a mask of the entries that are not empty.

#include <algorithm>
#include <array>
#include <bit>

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

class WakeWheel {
 public:
  /// Adds warps that wake at `at`, which is later than `now`. If `at` is more than 63 cycles away,
  /// they wake earlier; the caller must then compare the cycle and add them again.
  void add(WarpSet warps, Cycle at, Cycle now) {
    const std::uint64_t entry = std::min(at.number, now.number + kCycles - 1) % kCycles;
    entries_[entry] |= warps;
    occupied_ |= std::uint64_t{1} << entry;
  }
  /// Removes and returns the warps that wake at `now`. Must be called in each cycle in which a warp
  /// wakes.
  WarpSet take(Cycle now) {
    const std::uint64_t entry = now.number % kCycles;
    const WarpSet warps = entries_[entry];
    entries_[entry] = 0;
    occupied_ &= ~(std::uint64_t{1} << entry);
    return warps;
  }
  /// All warps in the wheel.
  WarpSet all() const {
    WarpSet warps = 0;
    for (std::uint64_t rest = occupied_; rest != 0; rest &= rest - 1) {
      warps |= entries_[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    return warps;
  }
  /// The first cycle after `now` in which a warp wakes; never() if no warp is in the wheel.
  Cycle next(Cycle now) const {
    if (occupied_ == 0) return Cycle::never();
    const auto rotated = std::rotr(occupied_, static_cast<int>((now.number + 1) % kCycles));
    return now + Cycles(1 + static_cast<std::uint64_t>(std::countr_zero(rotated)));
  }

 private:
  static constexpr std::uint64_t kCycles = 64;  ///< The bits of the mask.

  std::array<WarpSet, kCycles> entries_{};  ///< By cycle, modulo kCycles.
  std::uint64_t occupied_ = 0;              ///< The mask of the entries that are not empty.
};

}  // namespace heddle::sm
