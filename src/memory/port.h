#pragma once

// Resources that are booked ahead: a user asks when it can have one, and nothing has to look
// at it every cycle. Bookings are served in the order in which they are made; one for a later cycle
// leaves the cycles before it unused.

#include <cassert>
#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "base/error.h"

namespace heddle::memory {

/// A bandwidth of `bytes` bytes in `cycles` cycles: 8/3 is two and two thirds a cycle.
struct PortParameters {
  std::uint32_t bytes = 32;
  std::uint32_t cycles = 1;
};

/// A path that carries one transfer after another. Its time is kept in fractions of a cycle, so a
/// transfer may begin and end in the middle of one, and no rounding adds up.
class Port {
 public:
  explicit Port(const PortParameters& parameters) {
    if (parameters.bytes == 0) throw InputError("a port must carry at least one byte");
    if (parameters.cycles == 0) throw InputError("a port needs at least one cycle for its bytes");
    const std::uint32_t common = std::gcd(parameters.bytes, parameters.cycles);
    ticks_per_cycle_ = parameters.bytes / common;
    ticks_per_byte_ = parameters.cycles / common;
  }

  /// Carries `size` bytes (at least one) as soon as the port is free, and not before the start of
  /// cycle `earliest`. Returns the cycle at whose start the last byte has passed: what takes
  /// exactly cycle 5 has passed at 6.
  Cycle book(Cycle earliest, std::uint32_t size) {
    assert(size > 0);
    if (earliest > free_from_) {
      free_from_ = earliest;
      free_ticks_ = 0;
    }
    const std::uint64_t ticks = std::uint64_t{size} * ticks_per_byte_;
    busy_ticks_ += ticks;
    const std::uint64_t end = free_ticks_ + ticks;
    free_from_ += Cycles(end / ticks_per_cycle_);
    free_ticks_ = static_cast<std::uint32_t>(end % ticks_per_cycle_);
    return free_from_ + Cycles(free_ticks_ > 0 ? 1 : 0);
  }

  /// The cycle in which, or in the middle of which, the port becomes free.
  Cycle free_from() const { return free_from_; }
  /// For how long the port has been booked in all, rounded up to a whole cycle.
  Cycles busy_cycles() const {
    return Cycles(busy_ticks_ / ticks_per_cycle_ + (busy_ticks_ % ticks_per_cycle_ > 0 ? 1 : 0));
  }

 private:
  // A cycle is divided in so many ticks that a byte takes a whole number of them.
  std::uint32_t ticks_per_cycle_ = 1;
  std::uint32_t ticks_per_byte_ = 1;
  Cycle free_from_;
  std::uint32_t free_ticks_ = 0;  ///< Of the cycle free_from_, those that are taken.
  std::uint64_t busy_ticks_ = 0;
};

/// Where a unit takes up work: once every `interval` cycles.
class IssueSlot {
 public:
  explicit IssueSlot(Cycles interval) : interval_(interval) {
    if (interval == Cycles(0)) throw InputError("an initiation interval must be at least a cycle");
  }

  /// Starts as soon as the unit can, and not before `earliest`; returns that cycle. Work that needs
  /// several starts, as an access with bank conflicts does, has them one right after the other.
  Cycle book(Cycle earliest, std::uint32_t starts = 1) {
    assert(starts > 0);
    const Cycle start = earliest > free_from_ ? earliest : free_from_;
    const Cycles taken = interval_ * starts;
    free_from_ = start + taken;
    busy_ += taken;
    return start;
  }

  /// The first cycle in which the unit can start again.
  Cycle free_from() const { return free_from_; }
  /// The cycles that have been booked in all.
  Cycles busy_cycles() const { return busy_; }

 private:
  Cycles interval_;
  Cycle free_from_;
  Cycles busy_;
};

}  // namespace heddle::memory
