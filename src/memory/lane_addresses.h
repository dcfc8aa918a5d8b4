#pragma once

// What the units that look at a warp's addresses share.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/lane_mask.h"

namespace heddle::memory {

/// The address of each lane's access. Those of inactive lanes mean nothing.
using LaneAddresses = std::array<std::uint64_t, kWarpSize>;

/// Lanes side by side: first .. first + count - 1.
struct LaneRun {
  int first = 0;
  int count = 0;
};

/// `lanes`, of which there must be one, where they are side by side.
inline std::optional<LaneRun> as_run(LaneMask lanes) {
  const int first = lanes.lowest();
  const int count = std::countr_one(lanes.bits() >> first);
  if (lanes.bits() >> first != LaneMask::first(count).bits()) return std::nullopt;
  return LaneRun{.first = first, .count = count};
}

/// True where each lane's address is the one before plus `step`. The ends are looked at first: they
/// rule most of the others out.
inline bool has_step(const LaneAddresses& addresses, LaneRun run, std::uint64_t step) {
  const std::uint64_t* const address = addresses.data() + run.first;
  std::uint64_t expected = address[0];
  if (address[run.count - 1] != expected + step * static_cast<std::uint64_t>(run.count - 1)) {
    return false;
  }
  // Without an exit in the middle, so that it becomes vector code.
  std::uint64_t differs = 0;
  for (int i = 0; i < run.count; ++i) {
    differs |= address[i] ^ expected;
    expected += step;
  }
  return differs == 0;
}

/// Numbers the different values among up to 32, in the order in which they come.
class ValueNumbers {
 public:
  /// The number of `value`; size() before the call where it is new.
  std::uint32_t number_of(std::uint64_t value) {
    // Multiplicative hashing, by 2^64 over the golden ratio; half of the slots at most are taken.
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
  std::array<std::uint8_t, 1 << kSlotBits> slots_{};  ///< A value's number plus 1; 0: none.
  std::array<std::uint64_t, kWarpSize> values_;       ///< Of the first size_.
  std::uint32_t size_ = 0;
};

}  // namespace heddle::memory
