#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// The cycles in which a port that serves one access a cycle is booked. Bookings are served in the
/// order in which they are made; one for a later cycle leaves the cycles before it to others, as
/// the write of a result that comes long after the operands of the next instruction are read.
///
/// Bookings up to kWindow cycles apart are held against one another. Of two that lie further apart
/// the later one stays; no latency that is known ahead comes near to that.
class PortCalendar {
 public:
  static constexpr std::uint64_t kWindow = 4096;

  /// Takes the first free cycle from `earliest` on.
  Cycle book(Cycle earliest) {
    const Cycle cycle = first_free(earliest);
    const std::uint64_t number = cycle.number / kBits;
    Word& word = words_[number % kWords];
    if (word.number < number) word = {.number = number, .booked = 0};
    if (word.number == number) word.booked |= std::uint64_t{1} << (cycle.number % kBits);
    return cycle;
  }
  Cycle first_free(Cycle earliest) const {
    std::uint64_t number = earliest.number / kBits;
    std::uint64_t eligible = ~std::uint64_t{0} << (earliest.number % kBits);
    while (true) {
      const Word& word = words_[number % kWords];
      // A word of another number says nothing about these cycles.
      const std::uint64_t free = word.number == number ? ~word.booked & eligible : eligible;
      if (free != 0) {
        return Cycle(number * kBits + static_cast<std::uint64_t>(std::countr_zero(free)));
      }
      ++number;
      eligible = ~std::uint64_t{0};
    }
  }

 private:
  static constexpr std::uint64_t kBits = 64;
  static constexpr std::size_t kWords = kWindow / kBits;

  struct Word {
    std::uint64_t number = 0;  ///< Of the 64 cycles, counted from the start.
    std::uint64_t booked = 0;  ///< Bit 0 is the first of them.
  };
  std::array<Word, kWords> words_{};
};

}  // namespace heddle::sm
