#pragma once

// Converts cycles between two clock domains, called near and far. Both clocks start at the same
// time. The ratio of their frequencies is an exact fraction, so the conversion never drifts.

#include <cstdint>
#include <numeric>

#include "base/cycle.h"

namespace heddle {

class ClockRatio {
 public:
  constexpr ClockRatio() = default;
  /// Both frequencies must be in the same unit and above zero.
  constexpr ClockRatio(std::uint64_t near_frequency, std::uint64_t far_frequency)
      : near_(near_frequency / std::gcd(near_frequency, far_frequency)),
        far_(far_frequency / std::gcd(near_frequency, far_frequency)) {}

  /// The first far cycle that begins no earlier than the given near cycle.
  constexpr Cycle to_far(Cycle near) const { return Cycle(scale(near.number, far_, near_)); }
  /// The first near cycle that begins no earlier than the given far cycle.
  constexpr Cycle to_near(Cycle far) const { return Cycle(scale(far.number, near_, far_)); }

  /// The reduced ratio: `far_part()` far cycles take as long as `near_part()` near cycles.
  constexpr std::uint64_t far_part() const { return far_; }
  constexpr std::uint64_t near_part() const { return near_; }

 private:
  /// n * times / over, rounded up.
  static constexpr std::uint64_t scale(std::uint64_t n, std::uint64_t times, std::uint64_t over) {
    if (times == over) return n;
    // The product n * times could overflow, so multiples of `over` are scaled separately.
    return n / over * times + (n % over * times + over - 1) / over;
  }

  std::uint64_t near_ = 1;
  std::uint64_t far_ = 1;
};

}  // namespace heddle
