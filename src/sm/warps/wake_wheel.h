#pragma once

// The wake wheel (a timing wheel) holds the cycles in which sleeping warps wake. It has a slot for
// each of the next 64 cycles, and a mask of the slots that are not empty.

#include <algorithm>
#include <array>
#include <bit>

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

class WakeWheel {
 public:
  /// Adds warps that wake at `at`, which is later than `now`. If `at` is more than 63 cycles away,
  /// they wake earlier; the caller must check the time and add them again.
  void add(WarpSet warps, Cycle at, Cycle now) {
    const std::uint64_t slot = std::min(at.number, now.number + kSlots - 1) % kSlots;
    slots_[slot] |= warps;
    occupied_ |= std::uint64_t{1} << slot;
  }
  /// Removes and returns the warps that wake at `now`. Must be called in each cycle in which a warp
  /// wakes.
  WarpSet take(Cycle now) {
    const std::uint64_t slot = now.number % kSlots;
    const WarpSet warps = slots_[slot];
    slots_[slot] = 0;
    occupied_ &= ~(std::uint64_t{1} << slot);
    return warps;
  }
  /// All warps in the wheel.
  WarpSet all() const {
    WarpSet warps = 0;
    for (std::uint64_t left = occupied_; left != 0; left &= left - 1) {
      warps |= slots_[static_cast<std::size_t>(std::countr_zero(left))];
    }
    return warps;
  }
  /// The first cycle after `now` in which a warp wakes.
  Cycle next(Cycle now) const {
    if (occupied_ == 0) return Cycle::never();
    const auto rotated = std::rotr(occupied_, static_cast<int>((now.number + 1) % kSlots));
    return now + Cycles(1 + static_cast<std::uint64_t>(std::countr_zero(rotated)));
  }

 private:
  static constexpr std::uint64_t kSlots = 64;

  std::array<WarpSet, kSlots> slots_{};
  std::uint64_t occupied_ = 0;
};

}  // namespace heddle::sm
