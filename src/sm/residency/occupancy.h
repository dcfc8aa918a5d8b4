#pragma once

// The resources that a block needs, and how many blocks of a kernel fit on a multiprocessor.

#include <cstdint>
#include <string_view>

#include "sm/residency/residency_description.h"

namespace heddle::sm {

/// The resources that one block of a kernel needs.
struct BlockNeeds {
  std::uint32_t warps = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  /// The number of static warps (32 threads each) that share one warp slot: more than one only in
  /// large warps. A block occupies whole large warps, or shares one evenly with other blocks.
  std::uint32_t static_warps_per_warp = 1;
  /// Whether all warps must be resident at once, because blocks wait for each other (a cooperative
  /// launch).
  bool must_be_whole = false;

  /// The warps for which the block needs space, including those that fill up its last large warp.
  std::uint32_t warp_slots() const {
    if (warps >= static_warps_per_warp) {
      return (warps + static_warps_per_warp - 1) / static_warps_per_warp * static_warps_per_warp;
    }
    return static_warps_per_warp / (static_warps_per_warp / warps);
  }
};

enum class ResidencyLimit : std::uint8_t { registers, shared_memory, warps, blocks };
std::string_view name_of(ResidencyLimit limit);

/// How many blocks of a kernel fit on an empty multiprocessor.
struct Occupancy {
  std::uint32_t blocks = 0;
  /// The resource of which there is not enough for one block more.
  ResidencyLimit limit = ResidencyLimit::blocks;
};
Occupancy occupancy_of(const ResidencyDescription& multiprocessor, const BlockNeeds& needs);

}  // namespace heddle::sm
