#pragma once

// The stores of one simulated multiprocessor to global memory since the epoch began. An epoch is a
// span of simulated cycles, which multiprocessors simulate independently of one another. A
// multiprocessor sees its own stores at once; others see them only after the epoch. Stores
// therefore go to this buffer, loads search it first, and the end of the epoch commits the stores
// of all multiprocessors in a fixed order.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/memory/store_filter.h"

namespace heddle::exec {

class GlobalMemory;

class EpochStores {
 public:
  EpochStores();

  bool empty() const { return count_ == 0; }
  /// The number of lines of 128 bytes that have been stored to.
  std::size_t lines() const { return count_; }
  /// A quick test that excludes most addresses that were not stored to.
  [[gnu::always_inline]] const StoreFilter& filter() const { return filter_; }

  /// Stores `bytes` contiguous bytes.
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes);
  /// Stores `bytes` bytes for each of the lanes, whose values are contiguous in `from`. `bytes` is
  /// a power of two, at most 64, and addresses are multiples of it. If lanes have the same address,
  /// the highest lane wins.
  void write_lanes(const std::uint64_t* addresses, std::uint32_t lanes, const std::byte* from,
                   std::uint32_t bytes);

  /// Read memory as updated by the stores: the counterparts of write() and write_lanes().
  void read(const GlobalMemory& memory, std::uint64_t address, std::byte* to,
            std::uint32_t bytes) const;
  void read_lanes(const GlobalMemory& memory, const std::uint64_t* addresses, std::uint32_t lanes,
                  std::byte* to, std::uint32_t bytes) const;

  /// Writes to memory the stores that belong to `share` of `shares`. A line belongs to the same
  /// share for all multiprocessors. Several host threads, each with one share, can thus commit the
  /// stores of all multiprocessors, and stores to one line keep the multiprocessors' order.
  void commit(const GlobalMemory& memory, std::uint32_t share = 0, std::uint32_t shares = 1) const;
  /// Drops all stores, for the next epoch.
  void clear();

 private:
  struct alignas(64) Line {
    std::array<std::byte, StoreFilter::kLineBytes> data;
    std::array<std::uint64_t, 2> written;  ///< A bit for each byte.
  };
  struct Slot {
    std::uint64_t number = 0;  ///< The line's number.
    std::uint32_t index = 0;   ///< The line's index in lines_.
    std::uint32_t epoch = 0;   ///< The slot is empty unless this is the current epoch.
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::size_t hash_slot(std::uint64_t number) const {
    // Multiplicative hashing: 2^64 over the golden ratio spreads strides, best in the high bits.
    return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> hash_shift_);
  }
  /// The slot of a line, or the empty slot in which it would be inserted.
  std::size_t slot_of(std::uint64_t number) const {
    std::size_t slot = hash_slot(number);
    while (slots_[slot].epoch == epoch_ && slots_[slot].number != number) {
      slot = (slot + 1) & slot_mask_;
    }
    return slot;
  }
  const Line* find(std::uint64_t number) const {
    if (!filter_.may_have(number)) return nullptr;
    const Slot& slot = slots_[slot_of(number)];
    return slot.epoch == epoch_ ? &lines_[slot.index] : nullptr;
  }
  Line& line_of(std::uint64_t number) {
    const Slot& slot = slots_[slot_of(number)];
    return slot.epoch == epoch_ ? lines_[slot.index] : add_line(number);
  }
  Line& add_line(std::uint64_t number);
  void resize_table(std::size_t slots);
  template <std::uint32_t kBytes>
  void write_elements(const std::uint64_t* addresses, std::uint32_t lanes, const std::byte* from);
  template <std::uint32_t kBytes>
  void read_elements(const GlobalMemory& memory, const std::uint64_t* addresses,
                     std::uint32_t lanes, std::byte* to) const;

  StoreFilter filter_;
  std::uint32_t epoch_ = 1;
  int hash_shift_ = 0;
  std::size_t slot_mask_ = 0;
  std::size_t count_ = 0;
  std::vector<Slot> slots_;             ///< At most half full.
  std::vector<std::uint64_t> numbers_;  ///< The line numbers: address / 128.
  std::vector<Line> lines_;             ///< The first `count_` are in use.
};

}  // namespace heddle::exec
