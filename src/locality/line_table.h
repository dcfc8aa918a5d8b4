#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::locality {

/// Maps numbers of lines to positive numbers. A hash table with open addressing.
class LineTable {
 public:
  LineTable() : slots_(kMinSlots) {}

  /// The number of the line; 0 if it is new, which the caller must replace by another number. The
  /// reference is valid until the next call.
  std::uint32_t& operator[](std::uint64_t line) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[slot_of(line)];
    if (slot.number == 0) {
      slot.line = line;
      ++used_;
    }
    return slot.number;
  }
  /// The number of lines.
  std::size_t size() const { return used_; }
  void clear();

 private:
  static constexpr std::size_t kMinSlots = 64;
  struct Slot {
    std::uint64_t line = 0;
    std::uint32_t number = 0;
  };

  std::size_t slot_of(std::uint64_t line) const {
    // Multiplicative hashing with 2^64 over the golden ratio.
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = ((line * 0x9e3779b97f4a7c15U) >> 32) & mask;
    while (slots_[slot].number != 0 && slots_[slot].line != line) slot = (slot + 1) & mask;
    return slot;
  }
  void grow();

  std::vector<Slot> slots_;  ///< Their number is a power of two.
  std::size_t used_ = 0;
};

}  // namespace heddle::locality
