#pragma once

#include <cstdint>

#include "base/lane_mask.h"

namespace heddle::memory {

struct CoalescerParameters {
  /// What an access is made of: aligned pieces of so many bytes.
  std::uint32_t segment_bytes = 128;
  /// The grain in which a segment's touched parts are given: at most 32 in a segment.
  std::uint32_t sector_bytes = 32;
  /// So many lanes, 32 or 16, are looked at together; older hardware takes half a warp at a time.
  std::uint32_t group = kWarpSize;
};

}  // namespace heddle::memory
