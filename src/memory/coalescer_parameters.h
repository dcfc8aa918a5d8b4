#pragma once

#include <cstdint>

#include "base/lane_mask.h"

namespace heddle::memory {

struct CoalescerParameters {
  /// The size of the aligned segments into which an access is divided.
  std::uint32_t segment_bytes = 128;
  /// The size of a sector, the part of a segment for which it is tracked whether an access touches
  /// it. A segment has at most 32 sectors.
  std::uint32_t sector_bytes = 32;
  /// How many lanes, 32 or 16, are coalesced together. Older hardware handles half a warp at a
  /// time.
  std::uint32_t group = kWarpSize;
};

}  // namespace heddle::memory
