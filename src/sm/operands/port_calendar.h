#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// The booked cycles of a port that serves one access per cycle. Each booking gets the first cycle
/// that is still free, in the order of the calls. A booking for a later cycle leaves the cycles
/// before it free: a result, for example, is written long after the operands of the next
/// instruction are read.
///
/// Conflicts are found between bookings that are less than kWindow cycles apart. If two bookings
/// are further apart, the calendar may forget the earlier one. No latency that is known in advance
/// comes near kWindow.
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
      // A word with another number holds bookings of other cycles.
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
    std::uint64_t number = 0;  ///< First cycle divided by 64.
    std::uint64_t booked = 0;  ///< Bit i: whether the word's i-th cycle is booked.
  };
  std::array<Word, kWords> words_{};
};

}  // namespace heddle::sm
