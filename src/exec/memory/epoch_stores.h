#pragma once

// What one multiprocessor has stored to global memory since the epoch began. Multiprocessors run an
// epoch each for itself: until its end nobody else may see a store, while the one that made it sees
// it at once. So stores go here instead of to memory, loads look here first, and the epoch's end
// commits all multiprocessors' stores in their order.

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
  /// How many lines of 128 bytes have been stored to.
  std::size_t lines() const { return count_; }
  /// Says quickly of most addresses that nothing has been stored there.
  [[gnu::always_inline]] const StoreFilter& filter() const { return filter_; }

  /// Stores `bytes` bytes side by side.
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes);
  /// Stores `bytes` bytes for each of the lanes, whose values lie side by side in `from`. `bytes`
  /// is a power of two, at most 64, and the addresses are multiples of it. Of lanes with the same
  /// address the highest wins.
  void write_lanes(const std::uint64_t* addresses, std::uint32_t lanes, const std::byte* from,
                   std::uint32_t bytes);

  /// What is in memory with what has been stored since; as write() and write_lanes().
  void read(const GlobalMemory& memory, std::uint64_t address, std::byte* to,
            std::uint32_t bytes) const;
  void read_lanes(const GlobalMemory& memory, const std::uint64_t* addresses, std::uint32_t lanes,
                  std::byte* to, std::uint32_t bytes) const;

  /// Writes the stores to memory that fall to `share` of `shares`. A line falls to the same share
  /// whoever stored to it: so several host threads, each with a share of its own, can commit the
  /// stores of several multiprocessors, and those to one line go in the multiprocessors' order.
  void commit(const GlobalMemory& memory, std::uint32_t share = 0, std::uint32_t shares = 1) const;
  /// Forgets all stores, for the next epoch.
  void clear();

 private:
  struct alignas(64) Line {
    std::array<std::byte, StoreFilter::kLineBytes> data;
    std::array<std::uint64_t, 2> written;  ///< A bit for each byte.
  };
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t index = 0;
    std::uint32_t epoch = 0;  ///< Empty unless it is the current one.
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::size_t home_of(std::uint64_t number) const {
    // 2^64 over the golden ratio spreads the strides that lines come in, best in the high bits.
    return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> hash_shift_);
  }
  /// The slot of a line, or the empty one where it would go.
  std::size_t slot_of(std::uint64_t number) const {
    std::size_t slot = home_of(number);
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
  std::vector<std::uint64_t> numbers_;  ///< Of the lines, address / 128.
  std::vector<Line> lines_;             ///< The first `count_` are in use.
};

}  // namespace heddle::exec
