#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// The booked cycles of a port that serves one access per cycle. In the order of the calls, each
/// booking gets the first cycle that is still free. The cycles before a booking stay free: for
/// example, a result is booked to be written long after the operands of the next instruction are
/// read.
///
/// If two bookings are more than kWindow - 64 cycles apart, the calendar may have forgotten the
/// earlier one and so miss a conflict. No latency that is known in advance comes near kWindow.
class PortCalendar {
 public:
  static constexpr std::uint64_t kWindow = 4096;  ///< In cycles.

  /// Books and returns the first free cycle from `earliest` on.
  Cycle book(Cycle earliest) {
    Block& block = block_of(earliest);
    if (block.number == earliest.number / kBits) [[likely]] {
      const std::uint64_t free = ~block.booked & from_cycle(earliest);
      if (free != 0) [[likely]] {
        block.booked |= free & (~free + 1);
        return block.cycle(free);
      }
    }
    return book_in_another_block(earliest);
  }
  /// Books a cycle. Has no effect if it is booked already.
  void mark(Cycle cycle) {
    if (is_free(cycle)) book(cycle);
  }
  bool is_free(Cycle cycle) const {
    const Block& block = blocks_[cycle.number / kBits % kBlocks];
    return block.number != cycle.number / kBits ||
           (block.booked >> (cycle.number % kBits) & 1) == 0;
  }
  /// The first free cycle from `earliest` on.
  Cycle first_free(Cycle earliest) const {
    std::uint64_t number = earliest.number / kBits;
    std::uint64_t eligible = from_cycle(earliest);
    while (true) {
      const Block& block = blocks_[number % kBlocks];
      // A block with another number contains bookings of other cycles.
      const std::uint64_t free = block.number == number ? ~block.booked & eligible : eligible;
      if (free != 0) return Block{.number = number}.cycle(free);
      ++number;
      eligible = ~std::uint64_t{0};
    }
  }

 private:
  static constexpr std::uint64_t kBits = 64;
  static constexpr std::size_t kBlocks = kWindow / kBits;

  /// The bookings of 64 consecutive cycles.
  struct Block {
    std::uint64_t number = 0;  ///< The block's first cycle, divided by 64.
    std::uint64_t booked = 0;  ///< Bit i: whether the i-th cycle of the block is booked.

    /// The first of the cycles in a mask like `booked`.
    Cycle cycle(std::uint64_t cycles) const {
      return Cycle(number * kBits + static_cast<std::uint64_t>(std::countr_zero(cycles)));
    }
  };

  /// The cycles from `cycle` on, as a mask like Block::booked.
  static std::uint64_t from_cycle(Cycle cycle) {
    return ~std::uint64_t{0} << (cycle.number % kBits);
  }
  Block& block_of(Cycle cycle) { return blocks_[cycle.number / kBits % kBlocks]; }
  /// book(), if no cycle is free in the block of `earliest`, or the calendar has another block in
  /// its place.
  [[gnu::noinline]] Cycle book_in_another_block(Cycle earliest) {
    const Cycle cycle = first_free(earliest);
    const std::uint64_t number = cycle.number / kBits;
    Block& block = block_of(cycle);
    if (block.number < number) block = {.number = number, .booked = 0};
    if (block.number == number) block.booked |= std::uint64_t{1} << (cycle.number % kBits);
    return cycle;
  }

  std::array<Block, kBlocks> blocks_{};  ///< By number, modulo kBlocks.
};

}  // namespace heddle::sm
