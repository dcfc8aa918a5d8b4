#pragma once

// Random accesses of warps, with patterns that are typical of programs. They are for tests of units
// that examine addresses.

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"

namespace heddle::memory {

struct WarpAccess {
  LaneAddresses addresses{};
  LaneMask active;
  std::uint32_t bytes_per_lane = 4;
};

class LaneTraffic {
 public:
  explicit LaneTraffic(std::uint32_t seed) : random_(seed) {}

  WarpAccess next() {
    WarpAccess access;
    access.bytes_per_lane = 1U << below(5);
    access.active = some_lanes();
    const std::uint64_t base = some_base();
    const std::uint64_t step = some_step(access.bytes_per_lane);
    const std::uint64_t spread = 1 + below(std::uint64_t{1} << below(20));
    const std::uint64_t pattern = below(6);
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      std::uint64_t address = base + lane * step;
      if (pattern == 1) address = base - lane * step;
      if (pattern == 2) address = base + below(spread);
      if (pattern == 3) address = base + lane / (1 + below(8)) * step;
      // A constant step, except in about one lane.
      if (pattern == 4 && below(32) == 0) address += step + below(200);
      // Accesses are aligned to their size, like those of simulated programs.
      access.addresses[lane] = address / access.bytes_per_lane * access.bytes_per_lane;
      if (!access.active.contains(static_cast<int>(lane)) && below(2) == 0) {
        access.addresses[lane] = random_();
      }
    }
    return access;
  }

 private:
  /// A random number from 0 to end - 1.
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  LaneMask some_lanes() {
    const auto bits = static_cast<std::uint32_t>(random_());
    switch (below(6)) {
      case 0:
        return LaneMask(bits);
      case 1:
        return LaneMask(bits & static_cast<std::uint32_t>(random_()) &
                        static_cast<std::uint32_t>(random_()));
      case 2:
        return LaneMask::first_lanes(static_cast<int>(below(33)));
      case 3:
        return LaneMask(LaneMask::first_lanes(static_cast<int>(below(33))).bits() << below(32));
      default:
        return LaneMask::all();
    }
  }

  std::uint64_t some_base() {
    constexpr std::uint64_t kMiddle = 0x7f00'0000'0000;
    switch (below(5)) {
      case 0:
        return 0;
      case 1:
        return std::uint64_t{0} - 128 * (1 + below(64));  // Some lanes wrap around.
      case 2:
        return kMiddle + 128 * below(1000);
      default:
        return kMiddle + below(100'000);
    }
  }

  std::uint64_t some_step(std::uint64_t bytes) {
    switch (below(5)) {
      case 0:
        return 0;
      case 1:
        return bytes << below(8);
      case 2:
        return below(300);
      default:
        return bytes;
    }
  }

  std::mt19937_64 random_;
};

}  // namespace heddle::memory
