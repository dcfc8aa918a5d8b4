#pragma once

// When sleeping warps wake: a slot for each of the next 64 cycles, and one word that says which
// slots hold any.

#include <algorithm>
#include <array>
#include <bit>

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

class WakeWheel {
 public:
  /// Wakes the warps at `at`, which is later than `now`, or a look before if that is far away: the
  /// caller must look at the time.
  void add(WarpSet warps, Cycle at, Cycle now) {
    const std::uint64_t slot = std::min(at.number, now.number + kSlots - 1) % kSlots;
    slots_[slot] |= warps;
    occupied_ |= std::uint64_t{1} << slot;
  }
  /// Those to wake at `now`. No cycle with any may be left out.
  WarpSet take(Cycle now) {
    const std::uint64_t slot = now.number % kSlots;
    const WarpSet warps = slots_[slot];
    slots_[slot] = 0;
    occupied_ &= ~(std::uint64_t{1} << slot);
    return warps;
  }
  WarpSet all() const {
    WarpSet warps = 0;
    for (std::uint64_t left = occupied_; left != 0; left &= left - 1) {
      warps |= slots_[static_cast<std::size_t>(std::countr_zero(left))];
    }
    return warps;
  }
  /// The first cycle after `now` in which there is something to take.
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
