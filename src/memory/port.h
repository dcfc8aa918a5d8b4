#pragma once

// Resources that are reserved (booked) ahead of time. The caller learns at once when it gets the
// resource, so no state has to be updated every cycle. Reservations are served in the order in
// which they are made; a reservation for a later cycle leaves the cycles before it unused.

#include <cassert>
#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "base/error.h"

namespace heddle::memory {

/// A bandwidth of `bytes` bytes in `cycles` cycles. For example, 8 bytes in 3 cycles.
struct PortParameters {
  std::uint32_t bytes = 32;
  std::uint32_t cycles = 1;
};

/// A path that carries one transfer after another. Time is kept in fractions of a cycle: a transfer
/// may begin and end in the middle of a cycle, and no rounding errors accumulate.
class Port {
 public:
  /// Throws InputError if a parameter is 0.
  explicit Port(const PortParameters& parameters) {
    if (parameters.bytes == 0) throw InputError("a port must carry at least one byte");
    if (parameters.cycles == 0) throw InputError("a port needs at least one cycle for its bytes");
    const std::uint32_t common = std::gcd(parameters.bytes, parameters.cycles);
    ticks_per_cycle_ = parameters.bytes / common;
    ticks_per_byte_ = parameters.cycles / common;
  }

  /// Books a transfer of `size` bytes (at least one). It starts as soon as the port is free, and
  /// not before the start of cycle `earliest`. Returns the first cycle at whose start the last byte
  /// has passed. For a transfer that takes exactly cycle 5, this is cycle 6.
  Cycle book(Cycle earliest, std::uint32_t size) {
    assert(size > 0);
    if (earliest > free_from_) {
      free_from_ = earliest;
      taken_ticks_ = 0;
    }
    const std::uint64_t ticks = std::uint64_t{size} * ticks_per_byte_;
    busy_ticks_ += ticks;
    const std::uint64_t end = taken_ticks_ + ticks;
    free_from_ += Cycles(end / ticks_per_cycle_);
    taken_ticks_ = static_cast<std::uint32_t>(end % ticks_per_cycle_);
    return free_from_ + Cycles(taken_ticks_ > 0 ? 1 : 0);
  }

  /// The cycle at whose start, or during which, the port becomes free.
  Cycle free_from() const { return free_from_; }
  /// The total time for which the port has been booked, rounded up to whole cycles.
  Cycles busy_cycles() const {
    return Cycles(busy_ticks_ / ticks_per_cycle_ + (busy_ticks_ % ticks_per_cycle_ > 0 ? 1 : 0));
  }

 private:
  // A cycle is divided into ticks such that a byte takes a whole number of ticks.
  std::uint32_t ticks_per_cycle_ = 1;
  std::uint32_t ticks_per_byte_ = 1;
  Cycle free_from_;
  std::uint32_t taken_ticks_ = 0;  ///< The number of booked ticks of cycle free_from_.
  std::uint64_t busy_ticks_ = 0;
};

/// The issue slot of a unit that can start work once every `interval` cycles.
class IssueSlot {
 public:
  /// Throws InputError if the interval is 0.
  explicit IssueSlot(Cycles interval) : interval_(interval) {
    if (interval == Cycles(0)) throw InputError("an initiation interval must be at least 1 cycle");
  }

  /// Books `starts` starts in succession, the first as soon as the unit is free, and not before
  /// `earliest`. Returns the cycle of the first start. An access with bank conflicts, for example,
  /// needs several starts.
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
  /// The total of booked cycles so far.
  Cycles busy_cycles() const { return busy_; }

 private:
  Cycles interval_;
  Cycle free_from_;
  Cycles busy_;
};

}  // namespace heddle::memory
