#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "memory/coalescer_parameters.h"
#include "memory/lane_addresses.h"

namespace heddle::memory {

/// An aligned segment of memory that a warp's access touches.
struct Segment {
  std::uint64_t address = 0;  ///< The address of its first byte.
  LaneMask lanes;             ///< The lanes that touch it.
  std::uint32_t sectors = 0;  ///< The touched sectors of the segment: bit i is sector i.

  friend bool operator==(const Segment&, const Segment&) = default;
};
using Segments = InlineVector<Segment, kWarpSize>;

/// Coalesces the accesses of a warp's lanes into segments.
class Coalescer {
 public:
  /// Throws InputError if a parameter is out of its range.
  explicit Coalescer(const CoalescerParameters& parameters);

  /// Replaces the content of `out` with the segments that the active lanes touch. Each segment
  /// appears once, in the order of the lowest lane that touches it. With groups of 16 lanes, that
  /// holds within each half-warp, and the segments of the lower half-warp come first. Each lane
  /// accesses `bytes_per_lane` bytes (1, 2, 4, 8 or 16) at a multiple of that size, and therefore
  /// only one segment.
  void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes_per_lane,
                Segments& out) const;

 private:
  struct Accesses;  // The addresses that the lanes access, and the access size.

  std::uint32_t sectors_between(std::uint64_t first_byte, std::uint64_t last_byte) const;
  void append_consecutive(const Accesses& accesses, LaneRun run, Segments& out) const;
  void append_any(const Accesses& accesses, LaneMask lanes, Segments& out) const;
  void append(const Accesses& accesses, LaneMask lanes, Segments& out) const;

  std::uint64_t offset_mask_;  ///< Selects the bits of an address's offset in its segment.
  int segment_shift_;
  int sector_shift_;
  int group_lanes_;  ///< The number of lanes that are coalesced together.
};

}  // namespace heddle::memory
