#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "memory/coalescer_parameters.h"
#include "memory/lane_addresses.h"

namespace heddle::memory {

/// A segment that a warp's access touches.
struct Segment {
  std::uint64_t address = 0;  ///< Of its first byte.
  LaneMask lanes;             ///< Those that touch it.
  std::uint32_t sectors = 0;  ///< Those touched: bit i is sector i.

  friend bool operator==(const Segment&, const Segment&) = default;
};
using Segments = InlineVector<Segment, kWarpSize>;

/// Makes segments of the accesses of a warp's lanes.
class Coalescer {
 public:
  /// Throws InputError.
  explicit Coalescer(const CoalescerParameters& parameters);

  /// The segments that the active lanes touch, each once, in the order of the lowest lane that
  /// touches it; with groups of 16 lanes those of the lower lanes, then those of the upper. What
  /// was in `out` is lost. Each lane accesses `bytes_per_lane` bytes (1, 2, 4, 8 or 16) at an
  /// address that is a multiple of that: in one segment, therefore.
  void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes_per_lane,
                Segments& out) const;

 private:
  struct Accesses;  // A group's.

  std::uint32_t sectors_between(std::uint64_t first_byte, std::uint64_t last_byte) const;
  void append_consecutive(const Accesses& accesses, LaneRun run, Segments& out) const;
  void append_any(const Accesses& accesses, LaneMask lanes, Segments& out) const;
  void append(const Accesses& accesses, LaneMask lanes, Segments& out) const;

  std::uint64_t offset_bits_;  ///< Of an address: its place in the segment.
  int segment_shift_;
  int sector_shift_;
  int group_;
};

}  // namespace heddle::memory
