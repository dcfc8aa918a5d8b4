#pragma once

#include <cstdint>

#include "base/lane_mask.h"

namespace heddle::memory {

struct CoalescerParameters {
  /// The size of the aligned segments into which an access is divided.
  std::uint32_t segment_bytes = 128;
  /// The size of a sector. An access records which sectors of a segment it touches. A segment has
  /// at most 32 sectors.
  std::uint32_t sector_bytes = 32;
  /// The number of lanes that are coalesced together: 32, or 16 for older hardware, which handles
  /// half a warp at a time.
  std::uint32_t group = kWarpSize;
};

}  // namespace heddle::memory
