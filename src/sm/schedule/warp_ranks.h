#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sm/ids.h"

namespace heddle::sm {

/// The ranks by which a scheduler orders warps, lowest first. A rank must be less than 2^58.
class WarpRanks {
 public:
  void set(WarpSlot warp, std::uint64_t rank) { keys_[warp] = rank << 6 | warp; }
  /// The warp with the lowest rank in the set, which must not be empty.
  WarpSlot lowest_of(WarpSet warps) const {
    std::uint64_t lowest = ~std::uint64_t{0};
    for (; warps != 0; warps &= warps - 1) {
      lowest = std::min(lowest, keys_[static_cast<std::size_t>(std::countr_zero(warps))]);
    }
    return static_cast<WarpSlot>(lowest & 63);
  }

 private:
  static_assert(kMaxWarps == 64);
  std::array<std::uint64_t, kMaxWarps> keys_{};  ///< The rank, with the slot in the low 6 bits.
};

}  // namespace heddle::sm
