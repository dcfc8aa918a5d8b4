#pragma once

// Helpers for units that examine the addresses of a warp's access.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/lane_mask.h"

namespace heddle::memory {

/// The address of each lane's access. The values of inactive lanes are meaningless.
using LaneAddresses = std::array<std::uint64_t, kWarpSize>;

/// A run of `count` consecutive lanes, which begins at lane `first`.
struct LaneRun {
  int first = 0;
  int count = 0;
};

/// Returns `lanes` as a run; empty if there are gaps between the lanes. At least one lane must be
/// set.
inline std::optional<LaneRun> as_run(LaneMask lanes) {
  const int first = lanes.lowest();
  const int count = std::countr_one(lanes.bits() >> first);
  if (lanes.bits() >> first != LaneMask::first_lanes(count).bits()) return std::nullopt;
  return LaneRun{.first = first, .count = count};
}

/// Whether each lane's address is `step` more than the address of the lane before it. The first and
/// the last lane are compared first, which rules out most accesses without such a step.
inline bool has_step(const LaneAddresses& addresses, LaneRun run, std::uint64_t step) {
  const std::uint64_t* const address = addresses.data() + run.first;
  std::uint64_t expected = address[0];
  if (address[run.count - 1] != expected + step * static_cast<std::uint64_t>(run.count - 1)) {
    return false;
  }
  // There is no early exit, so that the compiler can vectorize the loop.
  std::uint64_t differs = 0;
  for (int i = 0; i < run.count; ++i) {
    differs |= address[i] ^ expected;
    expected += step;
  }
  return differs == 0;
}

/// The bits in which the addresses of `lanes` are not all equal. At least one lane must be set.
inline std::uint64_t differing_bits(const LaneAddresses& addresses, LaneMask lanes) {
  std::uint64_t differs = 0;
  if (lanes == LaneMask::all()) {
    // The compiler vectorizes this loop.
    for (const std::uint64_t address : addresses) differs |= address ^ addresses[0];
    return differs;
  }
  const std::uint64_t first = addresses[static_cast<std::size_t>(lanes.lowest())];
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    differs |= addresses[static_cast<std::size_t>(lanes.lowest())] ^ first;
  }
  return differs;
}

/// Gives up to 32 distinct values the numbers 0, 1, 2 and so on, in the order in which they first
/// appear.
class ValueNumbers {
 public:
  /// Returns the number of `value`. A new value gets the number size(), as it was before the call.
  std::uint32_t number_of(std::uint64_t value) {
    // Multiplicative hashing with 2^64 over the golden ratio; at most half of the slots are in use.
    std::uint64_t slot = (value * 0x9e3779b97f4a7c15U) >> (64 - kSlotBits);
    while (slots_[slot] != 0) {
      if (values_[slots_[slot] - 1U] == value) return slots_[slot] - 1U;
      slot = (slot + 1) % slots_.size();
    }
    values_[size_] = value;
    slots_[slot] = static_cast<std::uint8_t>(size_ + 1);
    return size_++;
  }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr int kSlotBits = 6;
  std::array<std::uint8_t, 1 << kSlotBits> slots_{};  ///< The number of a value plus 1; 0: empty.
  std::array<std::uint64_t, kWarpSize> values_;       ///< By number; the first size_ are valid.
  std::uint32_t size_ = 0;
};

}  // namespace heddle::memory
