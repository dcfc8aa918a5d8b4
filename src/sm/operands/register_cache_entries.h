#pragma once

// The contents of a register cache for one static warp (Gebhart's dissertation, section 5.2). Tags
// are per static warp. Valid and dirty bits are per lane: a value that threads write on one side of
// a branch is not in the cache for the threads on the other side.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/lane_mask.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::sm {

enum class Replacement : std::uint8_t { fifo, lru };

/// In its functions, `word` is a register's number.
class RegisterCacheEntries {
 public:
  struct Entry {
    std::uint16_t word = 0;  ///< The register's number.
    LaneMask valid;          ///< Empty if the entry is free.
    LaneMask dirty;
    std::uint64_t stamp = 0;  ///< Orders entries by allocation (FIFO) or by last use (LRU).
  };

  RegisterCacheEntries(std::uint32_t entries, Replacement replacement)
      : replacement_(replacement), entries_(entries) {
    place_.fill(kNowhere);
  }

  /// The lanes for which the cache holds the register.
  LaneMask lanes_of(std::uint16_t word) const {
    const std::uint8_t place = place_[word];
    return place == kNowhere ? LaneMask() : entries_[place].valid;
  }
  /// The number of the register's entry, or kNowhere.
  std::uint8_t entry_of(std::uint16_t word) const { return place_[word]; }
  /// Notes a read of the register.
  void touch(std::uint16_t word) {
    if (replacement_ == Replacement::lru) entries_[place_[word]].stamp = ++clock_;
  }
  /// Notes that these lanes' values will not be read again. The values stay in their entry, and are
  /// not written back.
  void mark_dead(std::uint16_t word, LaneMask lanes) {
    const std::uint8_t place = place_[word];
    if (place != kNowhere) entries_[place].dirty = entries_[place].dirty.without(lanes);
  }
  /// Invalidates these lanes' values: the register has been written in another level.
  void drop(std::uint16_t word, LaneMask lanes) {
    const std::uint8_t place = place_[word];
    if (place == kNowhere) return;
    Entry& entry = entries_[place];
    entry.valid = entry.valid.without(lanes);
    entry.dirty = entry.dirty.without(lanes);
    if (entry.valid.empty()) place_[word] = kNowhere;
  }
  /// Allocates an entry for a register that has none. Returns the evicted entry, if any.
  std::optional<Entry> make_room(std::uint16_t word) {
    if (place_[word] != kNowhere) return std::nullopt;
    const std::uint8_t place = victim();
    Entry& entry = entries_[place];
    std::optional<Entry> evicted;
    if (!entry.valid.empty()) {
      evicted = entry;
      place_[entry.word] = kNowhere;
    }
    entry = {.word = word, .valid = {}, .dirty = {}, .stamp = ++clock_};
    place_[word] = place;
    return evicted;
  }
  /// Writes these lanes of a register that has an entry.
  void put(std::uint16_t word, LaneMask lanes, bool dirty) {
    Entry& entry = entries_[place_[word]];
    entry.valid = entry.valid | lanes;
    if (dirty) entry.dirty = entry.dirty | lanes;
    if (entry.valid.empty()) place_[word] = kNowhere;
    if (replacement_ == Replacement::lru) entry.stamp = ++clock_;
  }
  /// Calls each(entry) for all valid entries.
  template <class Each>
  void for_each(Each each) const {
    for (const Entry& entry : entries_) {
      if (!entry.valid.empty()) each(entry);
    }
  }
  void clear() {
    for (Entry& entry : entries_) {
      place_[entry.word] = kNowhere;
      entry.valid = {};
      entry.dirty = {};
    }
  }

  static constexpr std::uint8_t kNowhere = 0xff;

 private:
  /// A free entry, else the one that was allocated (FIFO) or used (LRU) longest ago.
  std::uint8_t victim() const {
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].valid.empty()) return static_cast<std::uint8_t>(i);
      if (entries_[i].stamp < entries_[oldest].stamp) oldest = i;
    }
    return static_cast<std::uint8_t>(oldest);
  }

  Replacement replacement_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
  /// By register: the number of its entry, or kNowhere.
  std::array<std::uint8_t, kFirstPredicate> place_{};
};

}  // namespace heddle::sm
