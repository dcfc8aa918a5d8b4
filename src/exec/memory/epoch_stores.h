#pragma once

// EpochStores buffers the stores of one simulated multiprocessor to global memory since the current
// epoch began. An epoch is a span of simulated cycles in which multiprocessors are simulated
// independently of one another. A multiprocessor sees its own stores at once; other multiprocessors
// see them only after the epoch. For this reason, stores are written to this buffer, and loads
// search it before they read memory. At the end of the epoch, the stores of all multiprocessors are
// written to memory (committed) in a fixed order.

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

  bool empty() const { return line_count_ == 0; }
  /// The number of lines of 128 bytes that have been stored to.
  std::size_t line_count() const { return line_count_; }
  /// A quick test whether an address may have been stored to.
  [[gnu::always_inline]] const StoreFilter& filter() const { return filter_; }

  /// Stores `bytes` contiguous bytes at `address`.
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes);
  /// Stores `bytes` bytes for each of the lanes in the mask `lanes`. The value of lane i is at
  /// from + i * bytes. `bytes` is a power of two, at most 64, and addresses are multiples of it. If
  /// several lanes have the same address, the value of the highest lane is stored.
  void write_lanes(const std::uint64_t* addresses, std::uint32_t lanes, const std::byte* from,
                   std::uint32_t bytes);

  // read() and read_lanes() read memory as it is after the stores. Their parameters are as for
  // write() and write_lanes().
  void read(const GlobalMemory& memory, std::uint64_t address, std::byte* to,
            std::uint32_t bytes) const;
  void read_lanes(const GlobalMemory& memory, const std::uint64_t* addresses, std::uint32_t lanes,
                  std::byte* to, std::uint32_t bytes) const;

  /// Writes to memory the stores to all lines of one share. Lines are divided into `shares` shares;
  /// `share` is the number of one, from 0 on. A line is in the same share for all multiprocessors.
  /// Several host threads can therefore commit one share each for all multiprocessors. Stores to
  /// the same line are then still committed in the order of the multiprocessors.
  void commit(const GlobalMemory& memory, std::uint32_t share = 0, std::uint32_t shares = 1) const;
  /// Drops all stores, for the next epoch.
  void clear();

 private:
  /// The stores to one line of memory.
  struct alignas(64) Line {
    std::array<std::byte, StoreFilter::kLineBytes> data;
    std::array<std::uint64_t, 2> written;  ///< A bit for each byte stored to.
  };
  /// A slot of the hash table, which maps line numbers to lines.
  struct Slot {
    std::uint64_t number = 0;  ///< The line's number: address / 128.
    std::uint32_t index = 0;   ///< The line's index in lines_.
    std::uint32_t epoch = 0;   ///< The slot is empty unless this is the current epoch.
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::size_t hash_slot(std::uint64_t number) const {
    // Multiplicative hashing. The factor, 2^64 divided by the golden ratio, distributes numbers
    // evenly even if they have a stride, best in the high bits of the product.
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
  /// The line with this number; null if it was not stored to.
  const Line* find(std::uint64_t number) const {
    if (!filter_.may_have(number)) return nullptr;
    const Slot& slot = slots_[slot_of(number)];
    return slot.epoch == epoch_ ? &lines_[slot.index] : nullptr;
  }
  /// The line with this number, which is added if it was not stored to before.
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
  std::size_t line_count_ = 0;
  std::vector<Slot> slots_;                  ///< At most half full.
  std::vector<std::uint64_t> line_numbers_;  ///< The number of each line in lines_.
  std::vector<Line> lines_;                  ///< The first `line_count_` are in use.
};

}  // namespace heddle::exec
