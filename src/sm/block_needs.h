#pragma once

#include <cstdint>

namespace heddle::sm {

/// The resources that one block of a kernel needs.
struct BlockNeeds {
  std::uint32_t warps = 0;  ///< Its static warps: sets of 32 threads with consecutive numbers.
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  /// How many static warps share one warp slot: more than one only with large warps. A block
  /// occupies whole large warps, or an equal part of one that several blocks share.
  std::uint32_t static_warps_per_warp = 1;
  /// Whether all warps of the block must be resident at the same time: in a cooperative launch,
  /// blocks may wait for each other.
  bool must_be_whole = false;

  /// The number of warps for which the block needs space. It includes warps that do not exist but
  /// fill up the block's last large warp, or its part of one.
  std::uint32_t warp_slots() const {
    if (warps >= static_warps_per_warp) {
      return (warps + static_warps_per_warp - 1) / static_warps_per_warp * static_warps_per_warp;
    }
    return static_warps_per_warp / (static_warps_per_warp / warps);
  }
};

}  // namespace heddle::sm
