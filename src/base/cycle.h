#pragma once

// Time in a clock domain. A point in time (Cycle) and a duration (Cycles) are distinct types, so
// the compiler rejects a point where a duration is expected, and either of them as any other count.

#include <compare>
#include <cstdint>

namespace heddle {

/// A number of clock cycles.
struct Cycles {
  std::uint64_t count = 0;

  constexpr Cycles() = default;
  constexpr explicit Cycles(std::uint64_t cycles) : count(cycles) {}

  friend constexpr auto operator<=>(Cycles, Cycles) = default;
  friend constexpr Cycles operator+(Cycles a, Cycles b) { return Cycles(a.count + b.count); }
  friend constexpr Cycles operator*(Cycles a, std::uint64_t n) { return Cycles(a.count * n); }
  constexpr Cycles& operator+=(Cycles other) {
    count += other.count;
    return *this;
  }
};

/// A point in time: the number of a clock cycle, counted from the start of the clock.
struct Cycle {
  std::uint64_t number = 0;

  constexpr Cycle() = default;
  constexpr explicit Cycle(std::uint64_t cycle) : number(cycle) {}
  /// The time of an event that does not happen: later than every other cycle.
  static constexpr Cycle never() { return Cycle(~std::uint64_t{0}); }

  friend constexpr auto operator<=>(Cycle, Cycle) = default;
  friend constexpr Cycle operator+(Cycle begin, Cycles duration) {
    return Cycle(begin.number + duration.count);
  }
  /// `from` must not be later than `to`.
  friend constexpr Cycles operator-(Cycle to, Cycle from) {
    return Cycles(to.number - from.number);
  }
  constexpr Cycle& operator+=(Cycles duration) {
    number += duration.count;
    return *this;
  }
  constexpr Cycle& operator++() {
    ++number;
    return *this;
  }
};

}  // namespace heddle
